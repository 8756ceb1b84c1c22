// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

import io.tidemark.objects.MonotonicTime;
import java.io.PrintWriter;
import java.time.Duration;

/**
 * One line on a terminal that says how far long work is, written over and over and wiped in the
 * end. Where there is no terminal, nothing; and nothing for work that is done at once.
 */
public final class Progress {

  private static final long EVERY_NANOS = Duration.ofMillis(500).toNanos();
  private static final int WIDEST = 78;

  private final PrintWriter err;
  private final boolean terminal;
  private final MonotonicTime time;
  private long last;
  private boolean shown;

  Progress(PrintWriter err, boolean terminal, MonotonicTime time) {
    this.err = err;
    this.terminal = terminal;
    this.time = time;
    this.last = time.nanos();
  }

  /** On standard error, if that is a terminal. */
  public static Progress on(PrintWriter err) {
    if (err instanceof Watched watched) {
      return new Progress(err, true, watched.time());
    }
    return new Progress(err, Terminal.isThere(), MonotonicTime.system());
  }

  /** Nowhere, for work that a program waits for. */
  public static Progress untold(PrintWriter err) {
    return new Progress(err, false, MonotonicTime.system());
  }

  /** Says how far it is, unless that was said just now. */
  public synchronized void at(String text) {
    if (!terminal || time.nanos() - last < EVERY_NANOS) {
      return;
    }
    last = time.nanos();
    shown = true;
    String fitting = text.length() > WIDEST ? text.substring(0, WIDEST - 3) + "..." : text;
    err.print("\r" + fitting + " ".repeat(WIDEST - fitting.length()));
    err.flush();
  }

  /** Wipes the line. */
  public synchronized void end() {
    if (shown) {
      err.print("\r" + " ".repeat(WIDEST) + "\r");
      err.flush();
    }
  }
}
