// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

import io.tidemark.objects.MonotonicTime;
import java.io.PrintWriter;
import java.time.Duration;

/**
 * Progress of long work on one line of a terminal, which is overwritten and cleared in the end.
 * Silent without a terminal, and for short work.
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

  /** Returns a progress line on standard error, if that is a terminal. */
  public static ProgressLine on(PrintWriter err) {
    if (err instanceof SimulatedTerminal simulatedTerminal) {
      return new ProgressLine(err, true, simulatedTerminal.time());
    }
    return new ProgressLine(err, Terminal.isInteractive(), MonotonicTime.system());
  }

  /** Returns a silent progress line, for a command whose output a program reads. */
  public static ProgressLine none(PrintWriter err) {
    return new ProgressLine(err, false, MonotonicTime.system());
  }

  /** Shows progress, unless the line was updated just now. */
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

  /** Clears the line. */
  public synchronized void clear() {
    if (shown) {
      err.print("\r" + " ".repeat(WIDEST) + "\r");
      err.flush();
    }
  }
}
