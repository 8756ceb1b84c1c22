// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A running server. The thread that started it reads its log for as long as it runs: that is how we
 * learn that it is ready, and the server ends with that thread, see {@link
 * PostgresPrograms#command}.
 */
final class PostgresProcess {

  private static final int KEPT_LINES = 200;
  private static final int START_SECONDS = 120;
  private static final int STOP_SECONDS = 30;

  private final CompletableFuture<Process> ready = new CompletableFuture<>();
  private final Deque<String> log = new ArrayDeque<>();
  private final List<String> command;
  private final Path directory;

  private PostgresProcess(List<String> command, Path directory) {
    this.command = command;
    this.directory = directory;
  }

  /** Starts the server and waits until it takes connections. */
  static PostgresProcess start(List<String> command, Path directory) {
    PostgresProcess server = new PostgresProcess(command, directory);
    Thread keeper = new Thread(server::keep, "postgres-keeper");
    keeper.setDaemon(true);
    keeper.start();
    server.process();
    return server;
  }

  private void keep() {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .start();
      try (BufferedReader output = process.inputReader()) {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
          remember(line);
          if (line.contains("database system is ready to accept")) {
            ready.complete(process);
          }
        }
      }
      ready.completeExceptionally(new IOException("it ended with status " + process.waitFor()));
    } catch (IOException e) {
      ready.completeExceptionally(e);
    } catch (InterruptedException e) {
      ready.completeExceptionally(e);
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void remember(String line) {
    log.add(line);
    if (log.size() > KEPT_LINES) {
      log.remove();
    }
  }

  /** The end of its log. */
  synchronized String log() {
    return String.join("\n", log);
  }

  private Process process() {
    try {
      return ready.get(START_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("PostgreSQL doesn't start; its log:\n" + log(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while PostgreSQL starts", e);
    }
  }

  /** Stops it at once, without a checkpoint, and returns when it is gone. */
  void stop() {
    Process process = process();
    try {
      // SIGQUIT, which Java can't send, is "immediate" to PostgreSQL
      new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Kills it with all its backends, and returns when they are gone. */
  void kill() {
    Process process = process();
    try {
      // A server that is stopped can't start another backend between the look and the kill.
      new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start().waitFor();
      List<ProcessHandle> backends = process.descendants().toList();
      process.destroyForcibly();
      backends.forEach(ProcessHandle::destroyForcibly);
      process.waitFor();
      backends.forEach(backend -> backend.onExit().join());
    } catch (IOException e) {
      throw new UncheckedIOException("the server can't be killed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while PostgreSQL is killed", e);
    }
  }
}
