// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.cluster;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/**
 * Register of the processes that use a cluster, by a file lock that each process shares while it
 * has any users itself. A process holds at most one lock of a file, however often it asks for it,
 * and loses it as soon as it closes the file anywhere. So the users within the process are counted.
 */
final class ClusterUsers {

  private static final Map<Path, ClusterUsers> OF_THIS_PROCESS = new HashMap<>();

  private final FileChannel channel;
  private int count;

  private ClusterUsers(FileChannel channel) {
    this.channel = channel;
  }

  /** Registers one more user, until it is unregistered or this process ends. */
  static void register(Path file) throws IOException {
    synchronized (OF_THIS_PROCESS) {
      ClusterUsers users = OF_THIS_PROCESS.get(file);
      if (users == null) {
        users = new ClusterUsers(shared(file));
        OF_THIS_PROCESS.put(file, users);
      }
      users.count++;
    }
  }

  /** Unregisters one user; returns whether none is left, here or in other processes. */
  static boolean unregister(Path file) throws IOException {
    synchronized (OF_THIS_PROCESS) {
      ClusterUsers users = OF_THIS_PROCESS.get(file);
      if (users == null) {
        throw new IllegalStateException("nobody has entered " + file);
      }
      if (--users.count > 0) {
        return false;
      }
      OF_THIS_PROCESS.remove(file);
      users.channel.close();
      try (FileChannel alone = FileChannel.open(file, StandardOpenOption.WRITE)) {
        return alone.tryLock() != null;
      }
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // the last to leave closes it
  private static FileChannel shared(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      channel.lock(0, Long.MAX_VALUE, true);
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }
}
