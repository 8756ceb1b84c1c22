// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program that is run to its end.
 *
 * @param command the program and its arguments
 * @param directory its working directory
 * @param more variables that are added to its environment
 */
record Program(List<String> command, Path directory, Map<String, String> more) {

  private static final int LAST_CHARS = 2_000;

  /**
   * Exit status and output of a program.
   *
   * @param status 0 on success
   * @param output all that the program printed
   */
  record ExitResult(int status, String output) {

    boolean succeeded() {
      return status == 0;
    }

    /** Returns the end of the output. */
    String outputTail() {
      String text = output.strip();
      return text.length() > LAST_CHARS ? text.substring(text.length() - LAST_CHARS) : text;
    }
  }

  /** Runs the program. Processes that it leaves running must not hold its output. */
  ExitResult run() {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
    builder.directory(directory.toFile()).redirectErrorStream(true);
    // PGPORT, PGDATA and the like are meant for other servers, those of the user's environment.
    builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
    builder.environment().putAll(more);
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      return new ExitResult(process.waitFor(), output);
    } catch (IOException e) {
      throw new ClusterException("can't run " + command.get(0) + " (" + e.getMessage() + ")", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted while " + command.get(0) + " runs", e);
    }
  }
}
