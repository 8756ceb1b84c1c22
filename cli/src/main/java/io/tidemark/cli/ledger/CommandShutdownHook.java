// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.ledger.commit.WritingStoppedException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Lets a command that is told to end, as by Ctrl-C, give back the ledger's lock, which others would
 * otherwise have to wait for until its lease runs out. To be closed after the ledger, when the
 * command has said its last word: the process waits a moment for that too.
 */
final class CommandShutdownHook implements AutoCloseable {

  /** For a head that is being replaced and for what follows it. A store that is away takes all. */
  private static final Duration LIMIT = Duration.ofSeconds(3);

  private static final Duration LAST_WORD = Duration.ofMillis(300);

  private final CountDownLatch ended = new CountDownLatch(1);
  private Optional<Thread> hook = Optional.empty();

  /**
   * From now on, until this is closed, a signal has this called.
   *
   * @param stop ends what is going on within the time it is told
   */
  void onSignal(Consumer<Duration> stop) {
    Thread stopping = new Thread(() -> stop(stop), "tidemark-stop");
    try {
      Runtime.getRuntime().addShutdownHook(stopping);
      hook = Optional.of(stopping);
    } catch (IllegalStateException e) {
      stop.accept(LIMIT); // the signal was faster
    }
  }

  /** In a thread that nobody waits for any longer than that, whatever the store does. */
  private void stop(Consumer<Duration> stop) {
    Thread stopping = new Thread(() -> stop.accept(LIMIT), "tidemark-stopping");
    stopping.setDaemon(true);
    stopping.start();
    try {
      stopping.join(LIMIT.toMillis());
      ended.await(LAST_WORD.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody does that to a hook; the process ends anyway
    }
  }

  /** Says that it was stopped: at once, because the process waits for it only while it is open. */
  static int report(WritingStoppedException stopped, PrintWriter err) {
    err.println("tidemark: " + stopped.getMessage());
    err.flush();
    return ExitCodes.FAILED;
  }

  @Override
  public void close() {
    ended.countDown();
    try {
      hook.ifPresent(Runtime.getRuntime()::removeShutdownHook);
    } catch (IllegalStateException e) {
      // It runs already, and finds little to do.
    }
  }
}
