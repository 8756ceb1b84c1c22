// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Starts and stops the server of a cluster. The server is independent of the process that started
 * it: it goes on when that process ends, however that happens.
 *
 * @param files the cluster
 * @param programs those of its version
 */
record ClusterServer(ClusterFiles files, PostgresInstallation programs) {

  private static final Pattern PORT = Pattern.compile("\"-p\" \"(\\d{1,5})\"");
  private static final int PORT_ATTEMPTS = 5;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Returns the server that runs, or the one that is started now. */
  Postmaster start() throws IOException {
    Optional<Postmaster> known = Postmaster.of(files.data());
    if (known.isPresent() && known.get().isRunning()) {
      return known.get();
    }
    awaitEndOfKilled();
    if (known.isPresent()) {
      // The process that has that number now is another one, and PostgreSQL would refuse to start
      // because of it.
      Files.deleteIfExists(Postmaster.file(files.data()));
    }
    int port = lastPort().filter(ClusterServer::isFree).orElseGet(ClusterServer::freePort);
    for (int attempt = 1; ; attempt++) {
      Optional<String> problem = tryToStart(port);
      if (problem.isEmpty()) {
        return Postmaster.of(files.data())
            .orElseThrow(() -> new ClusterException("PostgreSQL ended as soon as it had started"));
      }
      if (attempt == PORT_ATTEMPTS || !problem.get().contains("could not bind")) {
        throw new ClusterException("PostgreSQL doesn't start:\n" + problem.get());
      }
      port = freePort();
    }
  }

  /**
   * Waits for the processes of a killed server, which end by themselves; until then its memory is
   * used.
   */
  private void awaitEndOfKilled() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (Postmaster.isAnyProcessRunning(files.data())) {
      if (System.nanoTime() > end) {
        throw new ClusterException(
            "processes of a server that was killed are still in "
                + files.data()
                + "; end them first");
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /** Returns empty when the server runs, otherwise the end of its log. */
  private Optional<String> tryToStart(int port) throws IOException {
    if (Files.exists(files.log())) {
      Path old = files.log().resolveSibling("server.log.1");
      Files.move(files.log(), old, StandardCopyOption.REPLACE_EXISTING);
    }
    Program.ExitResult exitResult =
        programs.run(
            files.cluster(),
            "pg_ctl",
            "start",
            "--pgdata=data",
            "--log=server.log",
            "--wait",
            "--timeout=" + PATIENCE.toSeconds(),
            "--options=-p " + port);
    return exitResult.succeeded()
        ? Optional.empty()
        : Optional.of(exitResult.outputTail() + "\n" + logged());
  }

  private String logged() throws IOException {
    try {
      return new Program.ExitResult(1, Files.readString(files.log())).outputTail();
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  /** Stops it as soon as transactions under way have been undone; whether there was one. */
  boolean stop() {
    Optional<Postmaster> known = Postmaster.of(files.data()).filter(Postmaster::isRunning);
    if (known.isEmpty()) {
      return false;
    }
    Program.ExitResult exitResult =
        programs.run(files.cluster(), "pg_ctl", "stop", "--pgdata=data", "--mode=fast", "--wait");
    if (!exitResult.succeeded() && known.get().isRunning()) {
      throw new ClusterException("PostgreSQL doesn't stop:\n" + exitResult.outputTail());
    }
    return true;
  }

  /** Returns the port of the last server, so that addresses that clients have saved stay valid. */
  private Optional<Integer> lastPort() throws IOException {
    Path options = files.data().resolve("postmaster.opts");
    if (!Files.exists(options)) {
      return Optional.empty();
    }
    Matcher port = PORT.matcher(Files.readString(options));
    return port.find() ? Optional.of(Integer.parseInt(port.group(1))) : Optional.empty();
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort() == port;
    } catch (IOException e) {
      return false;
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new ClusterException("there is no free port on the loopback interface", e);
    }
  }
}
