// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * PostgreSQL's own programs, connected to a server.
 *
 * @param server how to connect to it, in their words, without a database
 * @param password of the user
 */
record PostgresClient(String server, String password) {

  /** Runs one on a database; what it printed. */
  byte[] run(String database, byte[] input, String program, String... arguments) {
    List<String> all =
        new ArrayList<>(List.of("--dbname=%s dbname=%s".formatted(server, database)));
    all.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(PostgresPrograms.find().command(program, all));
    builder.environment().put("PGPASSWORD", password);
    try {
      Process process = builder.start();
      CompletableFuture<String> problems =
          CompletableFuture.supplyAsync(() -> text(process)); // else it may wait for us
      try (OutputStream to = process.getOutputStream()) {
        to.write(input);
      }
      byte[] output = process.getInputStream().readAllBytes();
      if (process.onExit().join().exitValue() != 0) {
        throw new IllegalStateException(program + " failed: " + problems.join());
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException("can't run " + program, e);
    }
  }

  private static String text(Process process) {
    try {
      return new String(process.getErrorStream().readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("can't read what a program says", e);
    }
  }
}
