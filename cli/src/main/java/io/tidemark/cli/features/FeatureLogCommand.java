// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.Page;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.FeatureLog;
import io.tidemark.api.features.FeatureTail;
import io.tidemark.api.features.FeatureTransaction;
import io.tidemark.api.features.TransactionsRequest;
import io.tidemark.cli.terminal.ExitCodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
final class FeatureLogCommand implements Callable<Integer> {

  private static final Duration TURN = Duration.ofSeconds(1);
  private static final int USUAL_LIMIT = 20;
  private static final int PAGE = 1_000;

  @Spec private CommandSpec spec;
  @Mixin private FeatureStorageMixin storage;

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
    return storage.ask(service -> follow ? follow(service.log()) : list(service.log()));
  }

  private ParameterException misuse(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }

  private int list(FeatureLog log) {
    int most = limit == null ? USUAL_LIMIT : limit;
    List<FeatureTransaction> found = new ArrayList<>();
    Optional<String> cursor = Optional.empty();
    do {
      int left = Math.min(PAGE, most - found.size());
      Page<FeatureTransaction> page = log.list(new TransactionsRequest(start(), left, cursor));
      found.addAll(page.items());
      cursor = page.next();
    } while (cursor.isPresent() && found.size() < most);
    storage.print(
        WireJson.tree(found),
        found.isEmpty() ? "no transactions" : TransactionLogFormatter.table(found));
    return ExitCodes.OK;
  }

  private TransactionsRequest.Start start() {
    if (from != null) {
      return new TransactionsRequest.FromTxn(from);
    }
    if (number != null) {
      return new TransactionsRequest.FromNumber(number);
    }
    return message == null
        ? new TransactionsRequest.Newest()
        : new TransactionsRequest.WithMessage(message);
  }

  private int follow(FeatureLog log) {
    long end = System.nanoTime() + (long) ((seconds == null ? 1e9 : seconds) * 1e9);
    long left = limit == null ? Long.MAX_VALUE : limit;
    OptionalLong after = number == null ? OptionalLong.empty() : OptionalLong.of(number - 1);
    try (FeatureTail tail = log.follow(after)) {
      while (left > 0 && System.nanoTime() - end < 0) {
        Duration patience = Duration.ofNanos(Math.min(TURN.toNanos(), end - System.nanoTime()));
        Optional<FeatureTransaction> next = tail.next(patience);
        if (next.isPresent()) {
          left--;
          storage.print(WireJson.tree(next.get()), TransactionLogFormatter.line(next.get()));
        }
        if (storage.out().checkError()) {
          return ExitCodes.OK; // the reader has seen enough
        }
      }
    }
    return ExitCodes.OK;
  }
}
