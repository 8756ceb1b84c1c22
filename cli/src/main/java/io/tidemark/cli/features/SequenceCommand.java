// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.SequenceResult;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Plural;
import io.tidemark.features.Features;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.features.log.Sequencer;
import io.tidemark.features.log.SequencerOptions;
import io.tidemark.features.log.SequencerStatus;
import io.tidemark.features.model.StorageUnavailableException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark features sequence}. */
@Command(
    name = "sequence",
    description =
        "Numbers transactions from 1 without holes, in the order in which they became visible, and"
            + " moves the head of each collection in the nameservice of --data, where it is the"
            + " ledger STORAGE/COLLECTION. It goes on until it is stopped. One at a time works,"
            + " others wait to take over.",
    footer = {
      "",
      "Examples:",
      "  tidemark features sequence",
      "  tidemark features sequence --data s3://bucket/names --jdbc \"$URL\"",
      "  tidemark features sequence --once   Numbers what there is; names stay"
    })
final class SequenceCommand implements Callable<Integer> {

  /**
   * Number of connections: the sequencer and its publisher have their own; one is for the status.
   */
  private static final int CONNECTIONS = 4;

  private static final Duration TURN = Duration.ofMillis(200);

  @Spec private CommandSpec spec;
  @Mixin private FeatureStorageMixin storage;

  @Option(names = "--once", description = "Number what there is, and end.")
  private boolean once;

  @Option(names = "--no-names", description = "Leave the nameservice alone.")
  private boolean unnamed;

  @Option(names = "--for", paramLabel = "SECONDS", description = "End after this time.")
  private @Nullable Double seconds;

  @Override
  public Integer call() {
    if (seconds != null && (once || !(seconds >= 0))) {
      throw new ParameterException(
          spec.commandLine(), "--for goes without --once, and isn't negative");
    }
    if (once) {
      return number();
    }
    if (storage.server().isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "a server numbers by itself; say --once to have it done at once");
    }
    return storage.with(FeaturesOptions.defaults().withConnections(CONNECTIONS), this::run);
  }

  private int number() {
    SequenceResult result = storage.ask(service -> service.log().sequence());
    storage.print(
        WireJson.tree(result),
        "%s numbered; the last number is %d"
            .formatted(Plural.of(result.numbered(), "transaction"), result.last()));
    return ExitCodes.OK;
  }

  private int run(Features features) {
    if (unnamed) {
      return runWith(features, SequencerOptions.defaults());
    }
    return storage
        .names()
        .with(names -> runWith(features, SequencerOptions.defaults().publishingTo(names)));
  }

  private int runWith(Features features, SequencerOptions options) {
    long end = System.nanoTime() + (long) ((seconds == null ? 1e9 : seconds) * 1e9);
    try (Sequencer sequencer = features.log().startSequencer(options)) {
      String told = "";
      SequencerSnapshot last = new SequencerSnapshot(sequencer.status(), 0);
      while (System.nanoTime() - end < 0) {
        LockSupport.parkNanos(TURN.toNanos());
        last = readStatus(sequencer, features, last.number());
        told = report(last, told);
        if (storage.out().checkError()) {
          return ExitCodes.OK; // the reader has closed the output
        }
      }
    }
    return ExitCodes.OK;
  }

  /** Status of the sequencer, and the last number. */
  private record SequencerSnapshot(SequencerStatus status, long number) {}

  /**
   * Reads the status; an unreachable database is reported as the status and doesn't end the
   * command.
   */
  private static SequencerSnapshot readStatus(Sequencer sequencer, Features features, long before) {
    SequencerStatus status = sequencer.status();
    try {
      return new SequencerSnapshot(status, features.log().lastNumber());
    } catch (StorageUnavailableException e) {
      String failure = status.failure() == null ? e.getMessage() : status.failure();
      return new SequencerSnapshot(
          new SequencerStatus(status.leading(), failure, status.lagging()), before);
    }
  }

  /** Reports the status if it has changed. */
  private String report(SequencerSnapshot sequencerSnapshot, String before) {
    SequencerStatus status = sequencerSnapshot.status();
    long last = sequencerSnapshot.number();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("leading", status.leading())
            .put("last", last)
            .put("failure", status.failure());
    ObjectNode lagging = json.putObject("lagging");
    status.lagging().forEach(lagging::put);
    if (!json.toString().equals(before)) {
      storage.print(json, text(status, last));
    }
    return json.toString();
  }

  private static String text(SequencerStatus status, long last) {
    if (status.failure() != null) {
      return "can't work: " + status.failure();
    }
    String what = status.leading() ? "numbering" : "waiting for another sequencer";
    String behind =
        status.lagging().isEmpty() ? "" : "; heads that can't be moved: " + status.lagging();
    return what + "; the last number is " + last + behind;
  }
}
