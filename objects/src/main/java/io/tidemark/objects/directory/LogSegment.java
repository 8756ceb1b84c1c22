// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.directory.HostOps.DurableFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file of a write log, made once and written again and again: its length never changes, so that a
 * sync has no metadata to write. Each use is a generation. Not for several threads at once, but for
 * the count of what is still to be carried out.
 */
final class LogSegment implements Closeable {

  private final Path path;
  private final DurableFile file;
  private final int size;
  private final String boot;
  private final Map<String, Long> newest = new HashMap<>();
  private final AtomicInteger underWay = new AtomicInteger();
  private long generation;
  private int length;
  private boolean sealed;

  private LogSegment(Path path, DurableFile file, int size, String boot) {
    this.path = path;
    this.file = file;
    this.size = size;
    this.boot = boot;
    this.generation = ThreadLocalRandom.current().nextLong();
  }

  /** Makes a segment; its entry in the directory is for the caller to sync. */
  static LogSegment create(Path path, int size, HostOps hostOps) throws IOException {
    try {
      LogSegment segment = new LogSegment(path, hostOps.create(path, size), size, hostOps.boot());
      segment.reset();
      return segment;
    } catch (IOException e) {
      Files.deleteIfExists(path); // what a full disk has room for is of no use
      throw e;
    }
  }

  Path path() {
    return path;
  }

  int size() {
    return size;
  }

  boolean hasRoomFor(int bytes) {
    return !sealed && length + bytes <= size;
  }

  /** Takes no more records, for good. */
  void seal() {
    sealed = true;
  }

  boolean isSealed() {
    return sealed;
  }

  /**
   * So many records are durable and still to be carried out; only then are the files as they say,
   * and may be synced in place of the records.
   */
  void addPending(int records) {
    underWay.addAndGet(records);
  }

  /** One more is carried out, or won't be. Returns whether it was the last. */
  boolean completeOne() {
    return underWay.decrementAndGet() == 0;
  }

  boolean isCarriedOut() {
    return underWay.get() == 0;
  }

  /** Returns the keys it has records of, each with the order of the last. */
  Map<String, Long> newest() {
    return newest;
  }

  /** Returns when the records are durable. */
  void append(List<LogRecord> records) throws IOException {
    ByteBuffer out = ByteBuffer.allocate(records.stream().mapToInt(LogRecord::mostBytes).sum());
    for (LogRecord record : records) {
      record.write(out, generation);
      newest.merge(record.key(), record.order(), Math::max);
    }
    file.write(length, Arrays.copyOf(out.array(), out.position()));
    length += out.position();
  }

  /** Forgets all records. */
  void reset() throws IOException {
    generation++;
    file.write(0, LogContents.header(generation, boot));
    newest.clear();
    length = LogContents.HEADER;
  }

  /**
   * To be called when a file of a record couldn't be synced. The kernel may take that file's pages
   * for written now, so a later sync can't be relied on: recovery has to replay this segment.
   */
  void markUnreliable() throws IOException {
    file.write(0, LogContents.header(generation, LogContents.NO_BOOT));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
