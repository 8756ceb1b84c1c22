// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Check of the command's standard output for lost data. Java's print streams swallow the cause of
 * an error, but the type of the output tells nearly as much.
 *
 * <p>A write to a pipe or a socket fails only when the reader has closed it, as in {@code tidemark
 * list | head}, and that is no failure. A signal ends other programs then, which shells show as 141
 * and most users never see. The JVM ignores that signal, and 141 as an ordinary exit code would
 * only make scripts with {@code pipefail} stop. So the command ends silently, with the exit code
 * that it would have had.
 */
final class StandardOutput {

  private static final Path OPEN = Path.of("/dev/fd/1");
  private static final int TYPE = 0170000;
  private static final int PIPE = 0010000;
  private static final int SOCKET = 0140000;

  private StandardOutput() {}

  /** Returns whether output was lost, other than to a pipe or socket closed by its reader. */
  static boolean isIncomplete() {
    return System.out.checkError() && !isPipe();
  }

  private static boolean isPipe() {
    try {
      int type = (int) Files.getAttribute(OPEN, "unix:mode") & TYPE;
      return type == PIPE || type == SOCKET;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false; // where the target is unknown, an error counts
    }
  }
}
