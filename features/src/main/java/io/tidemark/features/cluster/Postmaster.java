// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.cluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Server process of a cluster, as recorded in its file {@code postmaster.pid}. A server that was
 * killed leaves the file behind, and its process id may be reused by then. The working directory of
 * the process tells them apart: it is the data directory of the cluster.
 *
 * @param pid the process
 * @param port the port it listens on
 * @param data its data directory
 */
record Postmaster(long pid, int port, Path data) {

  private static final Path PROCESSES = Path.of("/proc");
  private static final int PORT_LINE = 3;

  /** Returns the server of a cluster; empty when none was started, or the last was stopped. */
  static Optional<Postmaster> of(Path data) {
    try {
      List<String> lines = Files.readAllLines(file(data));
      if (lines.size() <= PORT_LINE) {
        return Optional.empty(); // it is being written
      }
      return Optional.of(
          new Postmaster(
              Long.parseLong(lines.get(0).strip()),
              Integer.parseInt(lines.get(PORT_LINE).strip()),
              data));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException | NumberFormatException e) {
      throw new ClusterException("can't read " + file(data) + " (" + e + ")", e);
    }
  }

  static Path file(Path data) {
    return data.resolve("postmaster.pid");
  }

  /** Returns whether the server runs. */
  boolean isRunning() {
    return isIn(PROCESSES.resolve(Long.toString(pid)), data);
  }

  /**
   * Returns whether any process of a server is left; the processes of a killed server take a moment
   * to end.
   */
  static boolean isAnyProcessRunning(Path data) {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
      for (Path process : processes) {
        if (isIn(process, data)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new ClusterException("can't look for processes in " + PROCESSES + " (" + e + ")", e);
    }
  }

  private static boolean isIn(Path process, Path data) {
    try {
      return Files.readSymbolicLink(process.resolve("cwd")).equals(data.toRealPath());
    } catch (IOException e) {
      return false; // it has ended, or is none of ours to look at
    }
  }
}
