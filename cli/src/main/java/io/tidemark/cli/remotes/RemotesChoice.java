// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.remotes;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.names.NamesOptions;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Progress;
import io.tidemark.client.HttpRemotes;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.names.NameService;
import io.tidemark.remotes.Means;
import io.tidemark.remotes.Remotes;
import io.tidemark.remotes.transfer.CopyProgress;
import io.tidemark.remotes.view.RemotesView;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Mixin;

/** Whose remotes, and how to print what is found: what every verb on remotes takes. */
final class RemotesChoice {

  private static final int WIDTH = 20;

  @Mixin private NamesOptions options;

  /**
   * Asks the remotes of the names, or the server that has them, for something.
   *
   * @param here of the names
   * @param there of the server, which then does the work
   */
  JsonNode answer(
      Function<RemotesView, ? extends JsonNode> here,
      Function<HttpRemotes, ? extends JsonNode> there) {
    Bar bar = new Bar(options.json() ? Progress.untold(options.err()) : Progress.on(options.err()));
    try {
      Optional<String> server = options.server();
      if (server.isPresent()) {
        return there.apply(HttpRemotes.at(server.get(), bar::at));
      }
      try (NameService names = NameService.open(options.location())) {
        return here.apply(new RemotesView(remotes(names, bar)));
      }
    } finally {
      bar.end();
    }
  }

  private static Remotes remotes(NameService names, CopyProgress progress) {
    return new Remotes(names, Means.standard().withLedgers(settings()).withProgress(progress));
  }

  /** Prints a result: as JSON if that was asked for, else as text. */
  void print(JsonNode result, String text) {
    options.print(result, text);
    options.out().flush();
  }

  /** Says how a push or a pull ended; what couldn't be done is a failure like any other. */
  int say(ShownOutcome shown) {
    int exitCode = shown.exitCode();
    boolean failed = exitCode != ExitCodes.OK && exitCode != ExitCodes.CONFLICT;
    if (failed && !options.json()) {
      options.err().println("tidemark: " + shown.text());
    } else {
      print(shown.json(), shown.text());
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
