// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.client.features.HttpLog;
import io.tidemark.features.log.Feed;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.log.TransactionLog;
import io.tidemark.features.model.Txn;
import io.tidemark.features.view.TransactionJson;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark features log}. */
@Command(
    name = "log",
    description =
        "Lists transactions that changed features or collections, or left a message; the newest"
            + " first unless it is said where to begin.",
    footer = {
      "",
      "A transaction gets its number from 'tidemark features sequence' once others",
      "can see it. Whoever follows the log is told of those that have one, in their",
      "order and each once.",
      "",
      "Examples:",
      "  tidemark features log",
      "  tidemark features log --from 2026111600000000000 --limit 1000 --json",
      "  tidemark features log --message ticket",
      "  tidemark features log --seq 17 --follow"
    })
final class LogVerb implements Callable<Integer> {

  private static final Duration TURN = Duration.ofSeconds(1);

  @Spec private CommandSpec spec;
  @Mixin private StorageChoice storage;

  @Option(names = "--from", paramLabel = "TXN", description = "Those from this one on, by txn.")
  private @Nullable Long from;

  @Option(
      names = "--seq",
      paramLabel = "N",
      description = "Those that have a number, from this one on.")
  private @Nullable Long number;

  @Option(
      names = "--message",
      paramLabel = "ID",
      description = "Those with a message of this id, the newest first.")
  private @Nullable String message;

  @Option(names = "--limit", paramLabel = "N", description = "At most so many. Default: 20")
  private @Nullable Integer limit;

  @Option(
      names = "--follow",
      description = "Go on with what comes: from --seq, else from now; --limit ends it.")
  private boolean follow;

  @Option(names = "--for", paramLabel = "SECONDS", description = "Follow it no longer than this.")
  private @Nullable Double seconds;

  @Override
  public Integer call() {
    long given =
        List.of(from != null, number != null, message != null).stream().filter(is -> is).count();
    if (given > 1 || (follow && (from != null || message != null))) {
      throw misuse("say one of --from, --seq and --message; of them --follow takes --seq");
    }
    if ((limit != null && limit < 1) || (number != null && number < 1)) {
      throw misuse("--limit and --seq begin with 1");
    }
    if (seconds != null && (!follow || !(seconds >= 0))) {
      throw misuse("--for goes with --follow, and isn't negative");
    }
    return follow ? follow() : list();
  }

  private ParameterException misuse(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }

  private int list() {
    int most = limit == null ? 20 : limit;
    JsonNode found =
        storage.answer(
            features -> TransactionJson.of(found(features.log(), most)),
            server -> found(server.log(), most));
    storage.print(found, found.isEmpty() ? "no transactions" : ShownLog.table(found));
    return ExitCodes.OK;
  }

  private List<LoggedTransaction> found(TransactionLog log, int most) {
    if (from != null) {
      return log.from(new Txn(from), most);
    }
    if (number != null) {
      return log.fromNumber(number, most);
    }
    return message == null ? log.last(most) : log.byMessage(message, most);
  }

  private ArrayNode found(HttpLog log, int most) {
    if (from != null) {
      return log.from(from, most);
    }
    if (number != null) {
      return log.fromNumber(number, most);
    }
    return message == null ? log.last(most) : log.byMessage(message, most);
  }

  private int follow() {
    return storage.ask(
        features -> {
          long after = number == null ? features.log().lastNumber() : number - 1;
          try (Feed feed = features.log().feed(after)) {
            return follow(patience -> feed.next(patience).map(TransactionJson::of));
          }
        },
        server -> follow(server.log().feed(number == null ? -1 : number - 1)::next));
  }

  /** Where transactions come from, one by one; nothing when none comes in that time. */
  @FunctionalInterface
  private interface Source {
    Optional<? extends JsonNode> next(Duration patience);
  }

  private int follow(Source source) {
    long end = System.nanoTime() + (long) ((seconds == null ? 1e9 : seconds) * 1e9);
    long left = limit == null ? Long.MAX_VALUE : limit;
    while (left > 0 && System.nanoTime() - end < 0) {
      Duration patience = Duration.ofNanos(Math.min(TURN.toNanos(), end - System.nanoTime()));
      Optional<? extends JsonNode> next = source.next(patience);
      if (next.isPresent()) {
        left--;
        storage.print(next.get(), ShownLog.line(next.get()));
      }
      if (storage.out().checkError()) {
        return ExitCodes.OK; // whoever read this has seen enough
      }
    }
    return ExitCodes.OK;
  }
}
