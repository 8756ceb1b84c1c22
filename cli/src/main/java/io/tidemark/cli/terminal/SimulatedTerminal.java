// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

import io.tidemark.objects.MonotonicTime;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * Standard error that somebody watches on a terminal, whatever this process has. By its type, since
 * what a verb prints to is all that whoever starts it can choose.
 */
public final class SimulatedTerminal extends PrintWriter {

  private final MonotonicTime time;

  /**
   * @param time that passes for whoever watches
   */
  public SimulatedTerminal(Writer out, MonotonicTime time) {
    super(out, true);
    this.time = time;
  }

  MonotonicTime time() {
    return time;
  }
}
