// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

import io.tidemark.objects.MonotonicTime;
import java.io.PrintWriter;
import java.time.Duration;

/**
 * One line on a terminal that says how far long work is, written over and over and wiped in the
 * end. Where there is no terminal, nothing; and nothing for work that is done at once.
 */
public final class ProgressLine {

  private static final long EVERY_NANOS = Duration.ofMillis(500).toNanos();
  private static final int WIDEST = 78;

  private final PrintWriter err;
  private final boolean terminal;
  private final MonotonicTime time;
  private long last;
  private boolean shown;

  ProgressLine(PrintWriter err, boolean terminal, MonotonicTime time) {
    this.err = err;
    this.terminal = terminal;
    this.time = time;
    this.last = time.nanos();
  }

  /** On standard error, if that is a terminal. */
  public static ProgressLine on(PrintWriter err) {
    if (err instanceof SimulatedTerminal simulatedTerminal) {
      return new ProgressLine(err, true, simulatedTerminal.time());
    }
    return new ProgressLine(err, Terminal.isInteractive(), MonotonicTime.system());
  }

  /** Nowhere, for work that a program waits for. */
  public static ProgressLine none(PrintWriter err) {
    return new ProgressLine(err, false, MonotonicTime.system());
  }

  /** Says how far it is, unless that was said just now. */
  public synchronized void show(String text) {
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
  public synchronized void clear() {
    if (shown) {
      err.print("\r" + " ".repeat(WIDEST) + "\r");
      err.flush();
    }
  }
}
