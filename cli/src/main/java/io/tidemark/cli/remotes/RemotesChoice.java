// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.remotes;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.ExitCodes;
import io.tidemark.cli.names.NamesOptions;
import io.tidemark.cli.terminal.Progress;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.names.NameService;
import io.tidemark.remotes.Remotes;
import io.tidemark.remotes.transfer.CopyProgress;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Mixin;

/** Whose remotes, and how to print what is found: what every verb on remotes takes. */
final class RemotesChoice {

  private static final int WIDTH = 20;

  @Mixin private NamesOptions options;

  /** Opens the names, does something with their remotes and closes them. */
  int with(ToIntFunction<Remotes> work) {
    Progress progress =
        options.json() ? Progress.untold(options.err()) : Progress.on(options.err());
    Bar bar = new Bar(progress);
    return options.with(
        names -> {
          try {
            return work.applyAsInt(new Remotes(names, NameService::open, settings(), bar));
          } finally {
            bar.end();
          }
        });
  }

  /** Prints a result: as JSON if that was asked for, else as text. */
  void print(JsonNode result, String text) {
    options.print(result, text);
  }

  /** Says how a push or a pull ended; what couldn't be done is a failure like any other. */
  int say(ShownOutcome shown) {
    int exitCode = shown.exitCode();
    boolean failed = exitCode != ExitCodes.OK && exitCode != ExitCodes.CONFLICT;
    if (failed && !options.json()) {
      options.err().println("tidemark: " + shown.text());
    } else {
      options.print(shown.json(), shown.text());
    }
    return exitCode;
  }

  private static LedgerOptions settings() {
    WriterSettings standard = WriterSettings.standard();
    return LedgerOptions.standard()
        .withWriter(
            new WriterSettings(
                "tidemark-cli",
                standard.leaseTtl(),
                standard.lockTimeout(),
                standard.idleAfter(),
                standard.retry(),
                standard.time()));
  }

  /** Told by many threads at once; what is older than what was told last isn't shown. */
  private static final class Bar implements CopyProgress {
    private final Progress progress;
    private long most;

    Bar(Progress progress) {
      this.progress = progress;
    }

    @Override
    public synchronized void at(long commits, long ofCommits, long bytes) {
      if (commits < most || ofCommits == 0) {
        return;
      }
      most = commits;
      int filled = (int) (WIDTH * commits / ofCommits);
      progress.at(
          "copying ["
              + "#".repeat(filled)
              + ".".repeat(WIDTH - filled)
              + "] "
              + commits
              + " of "
              + ShownOutcome.commits(ofCommits)
              + ", "
              + ShownOutcome.size(bytes));
    }

    synchronized void end() {
      progress.end();
    }
  }
}
