// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.OpenOptions;
import io.tidemark.Tidemark;
import io.tidemark.cli.names.NamesOptions;
import io.tidemark.embed.EmbeddedTidemark;
import io.tidemark.ledger.commit.WritingStoppedException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/** Tidemark that is opened for a command that writes, and stopped by signals. */
final class StoppableTidemark {

  private StoppableTidemark() {}

  /** Returns the options to open Tidemark, with the command as the writer. */
  static OpenOptions location(NamesOptions options) {
    return OpenOptions.at(options.location()).withWriter("tidemark-cli");
  }

  /**
   * Opens the Tidemark that options name, applies work and closes it. A signal stops writing here,
   * which gives locks back; a server brings to an end what it was asked.
   *
   * @param ended called when a signal ends the command
   */
  static int run(NamesOptions options, Consumer<Duration> ended, ToIntFunction<Tidemark> work) {
    OpenOptions location = location(options);
    try (CommandShutdownHook signal = new CommandShutdownHook()) {
      if (options.server().isPresent()) {
        try (Tidemark server = Tidemark.open(location)) {
          signal.onSignal(ended);
          return work.applyAsInt(server);
        }
      }
      try (EmbeddedTidemark here = EmbeddedTidemark.open(location)) {
        signal.onSignal(ended.andThen(here::stop));
        return work.applyAsInt(here);
      } catch (WritingStoppedException e) {
        return CommandShutdownHook.report(e, options.err());
      }
    } finally {
      options.out().flush();
    }
  }
}
