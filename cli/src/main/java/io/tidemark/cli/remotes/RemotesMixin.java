// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.remotes;

import io.tidemark.OpenOptions;
import io.tidemark.Tidemark;
import io.tidemark.api.WireJson;
import io.tidemark.api.remotes.RemoteService;
import io.tidemark.api.remotes.RemoteTransfers;
import io.tidemark.api.remotes.TransferProgress;
import io.tidemark.api.remotes.TransferResult;
import io.tidemark.cli.names.NamesOptions;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.ProgressLine;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.Mixin;

/** Options of every verb on remotes: the location of the data and the form of the output. */
final class RemotesMixin {

  private static final int WIDTH = 20;

  @Mixin private NamesOptions options;

  /** Applies an operation to the remotes of the names, or of the server that has them. */
  <A> A ask(Function<RemoteService, A> work) {
    OpenOptions location = OpenOptions.at(options.location()).withWriter("tidemark-cli");
    try (Tidemark tidemark = Tidemark.open(location)) {
      return work.apply(tidemark.remotes());
    }
  }

  /** Runs a transfer, shows its progress, and prints its result. */
  int transfer(
      TransferOutcomeFormatter.Direction direction,
      BiFunction<RemoteTransfers, Consumer<TransferProgress>, TransferResult> transfer) {
    ProgressLine bar =
        options.json() ? ProgressLine.none(options.err()) : ProgressLine.on(options.err());
    TransferResult result;
    try {
      result = ask(remotes -> transfer.apply(remotes.transfers(), now -> show(now, bar)));
    } finally {
      bar.clear();
    }
    return report(new TransferOutcomeFormatter(direction, result));
  }

  private static void show(TransferProgress now, ProgressLine bar) {
    if (now.ofCommits() == 0) {
      return;
    }
    int filled = (int) (WIDTH * now.commits() / now.ofCommits());
    bar.show(
        "copying ["
            + "#".repeat(filled)
            + ".".repeat(WIDTH - filled)
            + "] "
            + now.commits()
            + " of "
            + TransferOutcomeFormatter.commits(now.ofCommits())
            + ", "
            + TransferOutcomeFormatter.size(now.bytes()));
  }

  /** Prints a result: as JSON if that was asked for, else as text. */
  int print(Object result, String text) {
    options.print(WireJson.tree(result), text);
    options.out().flush();
    return ExitCodes.OK;
  }

  /** Prints the result of a transfer; a part that failed is reported like any other failure. */
  private int report(TransferOutcomeFormatter shown) {
    int exitCode = shown.exitCode();
    boolean failed = exitCode != ExitCodes.OK && exitCode != ExitCodes.CONFLICT;
    if (failed && !options.json()) {
      options.err().println("tidemark: " + shown.text());
    } else {
      int unused = print(shown.result(), shown.text());
    }
    return exitCode;
  }
}
