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
 * Shutdown hook of a command: on a signal such as Ctrl-C, it releases the ledger's lock, so that
 * other writers needn't wait until its lease expires. To be closed after the ledger and after the
 * last output: the process waits a moment for that too.
 */
final class CommandShutdownHook implements AutoCloseable {

  /**
   * Time to finish replacing a head and its follow-up work. An unreachable store takes all of it.
   */
  private static final Duration LIMIT = Duration.ofSeconds(3);

  private static final Duration LAST_WORD = Duration.ofMillis(300);

  private final CountDownLatch ended = new CountDownLatch(1);
  private Optional<Thread> hook = Optional.empty();

  /**
   * Registers the action on a signal, until this is closed.
   *
   * @param stop action that stops running work within the time it is given
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

  /** Runs the action in a daemon thread, so that a hanging store can't delay the exit. */
  private void stop(Consumer<Duration> stop) {
    Thread stopping = new Thread(() -> stop.accept(LIMIT), "tidemark-stopping");
    stopping.setDaemon(true);
    stopping.start();
    try {
      stopping.join(LIMIT.toMillis());
      ended.await(LAST_WORD.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nothing interrupts a hook; the process ends anyway
    }
  }

  /** Reports the stop at once, because the process waits only until this is closed. */
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
      // The hook runs already, and finds little to do.
    }
  }
}
