// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * The child's end of a {@link ChildJvm}: prints lines that arrive at once, waits for the test's
 * word, and ends the child when the test's process is gone, so that none is ever left behind.
 */
public final class ParentLink {
  private final BufferedReader input =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

  /**
   * Prints a line at once. It arrives whole or not at all, whatever other threads print and
   * whenever this process is killed: a line of less than 4,096 bytes is one atomic write to a pipe.
   */
  public void printLine(String line) {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    synchronized (this) {
      System.out.write(bytes, 0, bytes.length);
      System.out.flush();
    }
  }

  /** Says {@code ready}, waits for a line from the test, and from then on ends with the test. */
  public void awaitStart() throws IOException {
    printLine("ready");
    if (input.readLine() == null) {
      Runtime.getRuntime().halt(1);
    }
    Thread watch = new Thread(this::endWithParent, "parent-watch");
    watch.setDaemon(true);
    watch.start();
  }

  private void endWithParent() {
    try {
      while (input.readLine() != null) {
        // Nothing more is expected; only the end of the stream means something.
      }
    } catch (IOException e) {
      System.err.println("the link to the test broke: " + e);
    }
    Runtime.getRuntime().halt(1);
  }
}
