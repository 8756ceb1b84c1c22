// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.ExitCodes;
import io.tidemark.cli.terminal.Table;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameService;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.Payload;
import io.tidemark.names.PushResult;
import io.tidemark.names.SoftLocks;
import io.tidemark.names.SoftLocks.Purpose;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
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
    subcommands = {ConcernVerb.Get.class, ConcernVerb.Push.class, ConcernVerb.Advance.class},
    footer = {
      "",
      "A push moves a concern from the state that is expected, and from no other. A conflict",
      "ends with exit code 6 and shows both.",
      "",
      "Examples:",
      "  tidemark concern get mydb status",
      "  tidemark concern push mydb head 1 '{\"id\":\"bagay...\",\"t\":1}' --expect 0",
      "  tidemark concern push mydb config 1 '{\"index_threshold\":1000}' --expect 0",
      "  tidemark concern push mydb status 2 '{\"state\":\"indexing\"}' \\",
      "      --expect 1 --expect-payload '{\"state\":\"ready\"}'",
      "  tidemark concern advance mydb head 7 '{\"id\":\"bagay...\",\"t\":7}'"
    })
public final class ConcernVerb implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say what to do: get, push or advance");
  }

  /** What all three take. */
  abstract static class OnConcern implements Callable<Integer> {
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

  /** What those take that move it. */
  abstract static class Moving extends OnConcern {
    @Parameters(index = "2", paramLabel = "WATERMARK", description = "t, or the next version.")
    long watermark;

    @Parameters(
        index = "3",
        arity = "0..1",
        paramLabel = "PAYLOAD",
        description = "A JSON object; nothing to clear it.")
    @Nullable String payload;

    ConcernValue next() {
      return new ConcernValue(watermark, Optional.ofNullable(payload).map(Payload::parse));
    }
  }

  @Command(name = "get", description = "Shows one concern.")
  static final class Get extends OnConcern {

    @Override
    public Integer call() {
      return options.with(
          names -> {
            ConcernValue value =
                names
                    .get(address, concern)
                    .orElseThrow(
                        () ->
                            new NotFoundException(
                                "there is no "
                                    + concern.word()
                                    + " of "
                                    + address
                                    + "; 'tidemark list' shows what there is"));
            options.print(Shown.json(value), Shown.text(value));
            return ExitCodes.OK;
          });
    }
  }

  @Command(name = "push", description = "Moves a concern, if it is in the expected state.")
  static final class Push extends Moving {

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

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      if (expected == null && expectedPayload != null) {
        throw new ParameterException(
            spec.commandLine(), "--expect-payload needs --expect, the watermark it has");
      }
      if ((lock == null) != (epoch == null) || (lock != null && expected == null)) {
        throw new ParameterException(
            spec.commandLine(), "--lock and --epoch go together, and need --expect");
      }
      return options.with(
          names -> {
            Optional<ConcernValue> known =
                Optional.ofNullable(expected)
                    .map(
                        v ->
                            expectedPayload == null
                                ? names
                                    .get(address, concern)
                                    .filter(now -> now.watermark() == v)
                                    .orElse(new ConcernValue(v, Optional.empty()))
                                : ConcernValue.of(v, Payload.parse(expectedPayload)));
            if (lock != null && epoch != null) {
              requireHeld(names, lock, epoch);
            }
            PushResult result = names.push(address, concern, known, next());
            return show(this, result, Shown.json(known), Shown.text(known));
          });
    }

    /** A command has no name of its own, so whoever names the epoch counts as its holder. */
    private void requireHeld(NameService names, Purpose purpose, long number) {
      SoftLocks locks = new SoftLocks(names, Clock.systemUTC(), Duration.ofMinutes(1));
      String holder = locks.find(address, purpose).map(SoftLocks.Lock::holder).orElse("");
      locks.requireHeld(
          address, purpose, new SoftLocks.Lock(holder, number, 0, OptionalLong.empty(), OptionalDouble.empty()));
    }
  }

  @Command(name = "advance", description = "Moves a head or an index forward from wherever it is.")
  static final class Advance extends Moving {

    @Override
    public Integer call() {
      return options.with(
          names -> {
            PushResult result = names.advance(address, concern, next());
            JsonNode below =
                JsonNodeFactory.instance.objectNode().put("watermark_below", watermark);
            return show(this, result, below, "below " + watermark);
          });
    }
  }

  private static int show(Moving where, PushResult result, JsonNode expected, String shown) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    if (result instanceof PushResult.Updated updated) {
      json.put("result", "updated").set("now", Shown.json(updated.now()));
      where.options.print(json, Shown.text(updated.now()));
      return ExitCodes.OK;
    }
    Optional<ConcernValue> actual = ((PushResult.Conflict) result).actual();
    json.put("result", "conflict").set("expected", expected);
    json.set("actual", Shown.json(actual));
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("  expected", shown));
    rows.add(List.of("  actual", Shown.text(actual)));
    if (expected.equals(Shown.json(actual))) {
      rows.add(List.of("  next", Shown.text(where.next()) + ", which isn't ahead of that"));
    }
    where.options.print(
        json,
        "conflict: the "
            + where.concern.word()
            + " of "
            + where.address
            + " has not moved"
            + System.lineSeparator()
            + Table.aligned(rows));
    return ExitCodes.CONFLICT;
  }
}
