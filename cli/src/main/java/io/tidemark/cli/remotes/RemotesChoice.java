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
import io.tidemark.cli.terminal.Progress;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.Mixin;

/** Options of every verb on remotes: the location of the data and the form of the output. */
final class RemotesChoice {

  private static final int WIDTH = 20;

  @Mixin private NamesOptions options;

  /** Applies an operation to the remotes of the names, or of the server that has them. */
  <A> A ask(Function<RemoteService, A> work) {
    OpenOptions location = OpenOptions.at(options.location()).withWriter("tidemark-cli");
    try (Tidemark tidemark = Tidemark.open(location)) {
      return work.apply(tidemark.remotes());
    }
  }

  /** Makes a transfer, shows how far it is, and says how it ended. */
  int transfer(
      ShownOutcome.Way way,
      BiFunction<RemoteTransfers, Consumer<TransferProgress>, TransferResult> transfer) {
    Progress bar = options.json() ? Progress.untold(options.err()) : Progress.on(options.err());
    TransferResult result;
    try {
      result = ask(remotes -> transfer.apply(remotes.transfers(), now -> show(now, bar)));
    } finally {
      bar.end();
    }
    return say(new ShownOutcome(way, result));
  }

  private static void show(TransferProgress now, Progress bar) {
    if (now.ofCommits() == 0) {
      return;
    }
    int filled = (int) (WIDTH * now.commits() / now.ofCommits());
    bar.at(
        "copying ["
            + "#".repeat(filled)
            + ".".repeat(WIDTH - filled)
            + "] "
            + now.commits()
            + " of "
            + ShownOutcome.commits(now.ofCommits())
            + ", "
            + ShownOutcome.size(now.bytes()));
  }

  /** Prints a result: as JSON if that was asked for, else as text. */
  int print(Object result, String text) {
    options.print(WireJson.tree(result), text);
    options.out().flush();
    return ExitCodes.OK;
  }

  /** Says how a transfer ended; what couldn't be done is a failure like any other. */
  private int say(ShownOutcome shown) {
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
