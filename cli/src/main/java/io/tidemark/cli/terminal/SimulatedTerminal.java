// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

import io.tidemark.objects.MonotonicTime;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * Standard error that counts as a terminal, whatever this process has. The type decides, since an
 * output writer is all that the caller of a verb can choose.
 */
public final class SimulatedTerminal extends PrintWriter {

  private final MonotonicTime time;

  /**
   * Creates a simulated terminal.
   *
   * @param time clock of the simulated terminal
   */
  public SimulatedTerminal(Writer out, MonotonicTime time) {
    super(out, true);
    this.time = time;
  }

  MonotonicTime time() {
    return time;
  }
}
