// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the command prints to. Java's print streams keep an error to themselves, and which one it
 * was with it; what they print to tells nearly as much.
 *
 * <p>To a pipe or a socket a write fails only when nobody reads any more, as in {@code tidemark
 * list | head}: whoever read has seen enough, and that is no failure. Other programs are ended by a
 * signal then, which shells show as 141 and most users never see; the JVM ignores that signal, and
 * 141 as an ordinary exit code would only make scripts with {@code pipefail} stop. So the command
 * ends quietly with what it would have ended with.
 */
final class StandardOutput {

  private static final Path OPEN = Path.of("/dev/fd/1");
  private static final int TYPE = 0170000;
  private static final int PIPE = 0010000;
  private static final int SOCKET = 0140000;

  private StandardOutput() {}

  /** Whether something that was printed got lost though somebody may want it. */
  static boolean isIncomplete() {
    return System.out.checkError() && !isPipe();
  }

  private static boolean isPipe() {
    try {
      int type = (int) Files.getAttribute(OPEN, "unix:mode") & TYPE;
      return type == PIPE || type == SOCKET;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false; // where that can't be told, an error is one
    }
  }
}
