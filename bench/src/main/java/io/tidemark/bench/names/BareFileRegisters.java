// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import io.tidemark.bench.measure.BareFiles;
import io.tidemark.objects.directory.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Files that are replaced durably and nothing more: the floor. Of one file there is one replacement
 * at a time, because the next of a row of moves can't begin before the last is over; several at a
 * time could share a sync, and would be no floor of compare-and-set.
 */
final class BareFileRegisters implements Registers<Long> {

  private final BareFiles files;
  private final byte[] bytes;
  private final Map<Integer, ReentrantLock> locks = new ConcurrentHashMap<>();

  /**
   * Files in a directory.
   *
   * @param length how long each is
   */
  BareFileRegisters(Path directory, int length) throws IOException {
    this.files = new BareFiles(directory, Durability.SYNC);
    this.bytes = new byte[length];
  }

  @Override
  public Long create(int register) throws IOException {
    files.replace(name(register), bytes);
    return 0L;
  }

  @Override
  public Long read(int register) {
    return 0L;
  }

  @Override
  public Move<Long> move(int register, Long from) throws IOException {
    ReentrantLock lock = locks.computeIfAbsent(register, r -> new ReentrantLock());
    lock.lock();
    try {
      files.replace(name(register), bytes);
    } finally {
      lock.unlock();
    }
    return new Move<>(from + 1, true);
  }

  private static String name(int register) {
    return register + ".json";
  }

  @Override
  public void close() {
    // The files go with the directory.
  }
}
