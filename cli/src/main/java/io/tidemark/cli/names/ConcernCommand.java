// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameService;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.PushResult;
import io.tidemark.names.SoftLocks;
import io.tidemark.names.SoftLocks.Purpose;
import io.tidemark.names.view.RecordJson;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark concern get|push|advance}. */
@Command(
    description = "Reads and moves one concern of a record: head, index, status or config.",
    subcommands = {
      ConcernCommand.Get.class,
      ConcernCommand.Push.class,
      ConcernCommand.Advance.class
    },
    footer = {
      "",
      "A push moves a concern from the state that is expected, and from no other.",
      "A conflict ends with exit code 6 and shows both.",
      "",
      "Examples:",
      "  tidemark concern get mydb status",
      "  tidemark concern push mydb head 1 '{\"id\":\"bagay...\",\"t\":1}' --expect 0",
      "  tidemark concern push mydb config 1 '{\"index_threshold\":1000}' --expect 0",
      "  tidemark concern push mydb status 2 '{\"state\":\"indexing\"}' \\",
      "      --expect 1 --expect-payload '{\"state\":\"ready\"}'",
      "  tidemark concern advance mydb head 7 '{\"id\":\"bagay...\",\"t\":7}'",
      "  tidemark concern push mydb config 2 - --expect 1 < config.json"
    })
public final class ConcernCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say what to do: get, push or advance");
  }

  /** Base of the three operations. */
  abstract static class ConcernOperation implements Callable<Integer> {
    @Mixin NamesOptions options;

    @Parameters(
        index = "0",
        paramLabel = "ADDRESS",
        converter = AddressConverter.class,
        description = "name or name:branch")
    Address address;

    @Parameters(index = "1", paramLabel = "CONCERN", description = "head, index, status or config")
    Concern concern;
  }

  /** Base of the operations that move a concern. */
  abstract static class MoveOperation extends ConcernOperation {
    @Parameters(index = "2", paramLabel = "WATERMARK", description = "t, or the next version.")
    String watermark;

    @Parameters(
        index = "3",
        arity = "0..1",
        paramLabel = "PAYLOAD",
        description = "A JSON object, - to read it from standard input; nothing to clear it.")
    @Nullable String payload;

    ConcernValue next() {
      return new ConcernValue(
          PayloadArgument.watermark(concern.text(), address, watermark),
          PayloadArgument.payload(concern.text(), address, payload));
    }

    String what() {
      return concern.text() + " of " + address;
    }
  }

  @Command(
      name = "get",
      description = "Shows one concern.",
      footer = {
        "",
        "Examples:",
        "  tidemark concern get mydb head",
        "  tidemark concern get mydb:dev status --json"
      })
  static final class Get extends ConcernOperation {

    @Override
    public Integer call() {
      return options.with(
          names -> {
            ConcernValue value = names.get(address, concern).orElseThrow(() -> missing(names));
            options.print(RecordJson.of(value), RecordFormatter.text(value));
            return ExitCodes.OK;
          });
    }

    private NotFoundException missing(NameService names) {
      return new NotFoundException(
          names.graphSources().find(address).isPresent()
              ? address
                  + " is a graph source, which has no "
                  + concern.text()
                  + "; ask for its index"
              : "there is no " + address + "; 'tidemark list' shows what there is");
    }
  }

  @Command(
      name = "push",
      description = "Moves a concern, if it is in the expected state.",
      footer = {
        "",
        "Exit code 6: it isn't in that state; what was expected and what is there is shown.",
        "",
        "Examples:",
        "  tidemark concern push mydb head 1 '{\"id\":\"bagay...\",\"t\":1}' --expect 0",
        "  tidemark concern push mydb status 2 '{\"state\":\"indexing\"}' \\",
        "      --expect 1 --expect-payload '{\"state\":\"ready\"}'",
        "  tidemark concern push mydb config 2 - --expect 1 < config.json",
        "  tidemark concern push mydb index 5 '{\"default\":{\"id\":\"baghy...\",\"t\":5}}' \\",
        "      --expect 4 --lock index --epoch 3"
      })
  static final class Push extends MoveOperation {

    @Option(
        names = "--expect",
        paramLabel = "WATERMARK",
        description = "The watermark it has now; without it: that there is no such record.")
    private @Nullable Long expected;

    @Option(
        names = "--expect-payload",
        paramLabel = "JSON",
        description = "The payload it has now; without it: whatever is there at that watermark.")
    private @Nullable String expectedPayload;

    @Option(
        names = "--lock",
        paramLabel = "PURPOSE",
        description = "Only while this lock is held with --epoch: index, reindex or maintenance.")
    private @Nullable Purpose lock;

    @Option(names = "--epoch", paramLabel = "N", description = "The epoch that --lock was given.")
    private @Nullable Long epoch;

    @Option(
        names = "--lock-id",
        paramLabel = "ID",
        description = "The id that --lock was given, for a record that may be a new one.")
    private @Nullable String lockId;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      if (expected == null && expectedPayload != null) {
        throw new ParameterException(
            spec.commandLine(), "--expect-payload needs --expect, the watermark it has");
      }
      if ((lock == null) != (epoch == null)
          || (lock != null && expected == null)
          || (lock == null && lockId != null)) {
        throw new ParameterException(
            spec.commandLine(),
            "--lock and --epoch go together, and need --expect; --lock-id is for them");
      }
      return options.with(
          names -> {
            ConcernValue next = next();
            Optional<ConcernValue> known = Optional.ofNullable(expected).map(v -> known(names, v));
            if (lock != null && epoch != null) {
              requireHeld(names, lock, epoch);
            }
            PushResult result = names.push(address, concern, known, next);
            return answer(known, next).print(options, result);
          });
    }

    private ConcernValue known(NameService names, long v) {
      return expectedPayload == null
          ? names
              .get(address, concern)
              .filter(now -> now.watermark() == v)
              .orElse(new ConcernValue(v, Optional.empty()))
          : new ConcernValue(
              v, PayloadArgument.payload("expected " + concern.text(), address, expectedPayload));
    }

    private PushResultPrinter answer(Optional<ConcernValue> known, ConcernValue next) {
      boolean anything =
          expectedPayload == null
              && known.filter(k -> k.payload().isEmpty() && !k.isUnborn()).isPresent();
      return anything
          ? new PushResultPrinter(
              what(),
              JsonNodeFactory.instance.objectNode().put("watermark", expected),
              expected + ", whatever it says",
              next)
          : new PushResultPrinter(what(), RecordJson.of(known), RecordFormatter.text(known), next);
    }

    /**
     * Checks the epoch. A command has no name of its own, so the caller that names the epoch counts
     * as its holder.
     */
    private void requireHeld(NameService names, Purpose purpose, long number) {
      SoftLocks locks = new SoftLocks(names, Clock.systemUTC(), Duration.ofMinutes(1));
      String holder = locks.find(address, purpose).map(SoftLocks.Lock::holder).orElse("");
      locks.requireHeld(
          address, purpose, SoftLocks.Lock.of(holder, number, Optional.ofNullable(lockId)));
    }
  }

  @Command(
      name = "advance",
      description = "Moves a head or an index forward from wherever it is.",
      footer = {
        "",
        "Exit code 6: it is there already, or further.",
        "",
        "Examples:",
        "  tidemark concern advance mydb head 7 '{\"id\":\"bagay...\",\"t\":7}'",
        "  tidemark concern advance mydb index 5 '{\"default\":{\"id\":\"baghy...\",\"t\":5}}'"
      })
  static final class Advance extends MoveOperation {

    @Override
    public Integer call() {
      return options.with(
          names -> {
            ConcernValue next = next();
            PushResult result = names.advance(address, concern, next);
            JsonNode below =
                JsonNodeFactory.instance.objectNode().put("watermark_below", next.watermark());
            return new PushResultPrinter(what(), below, "below " + next.watermark(), next)
                .print(options, result);
          });
    }
  }
}
