// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Operations of the host that durable writes need. Tests substitute hosts that lose power, count
 * syncs or break; each of them counts as another process.
 */
interface HostOps {

  /** Differs from one boot of the machine to the next. */
  String boot();

  /** Returns a clock that only goes forward, and is the same for all processes of one boot. */
  long ticks();

  /** Returns when a file's content and times, or a directory's entries, are durable. */
  void sync(Path path) throws IOException;

  /** Makes a file of zeros, durable but for its entry in the directory. */
  DurableFile create(Path file, int size) throws IOException;

  /** Runs a task in the background, without waiting for it. */
  void runInBackground(Runnable task);

  /** Returns the limits of what is logged. */
  default LogLimits limits() {
    return LogLimits.STANDARD;
  }

  /** A file each write to which is durable when it returns. */
  interface DurableFile extends Closeable {
    void write(long position, byte[] bytes) throws IOException;
  }

  /**
   * Limits of what is logged.
   *
   * @param unlogged how many writes a process makes without a log, since making and removing one
   *     costs as much as a few writes
   * @param segment the size of the first segment in bytes
   * @param body the longest body that goes through the log
   * @param spares how many replaced files are kept to be written again
   */
  record LogLimits(int unlogged, int segment, int body, int spares) {
    static final LogLimits STANDARD = new LogLimits(16, 16 << 20, 64 << 10, 512);

    /**
     * Returns the size of segments after the first: a process that has filled one is likely to fill
     * more.
     */
    int laterSegmentBytes() {
      return 2 * segment;
    }

    /** Returns the maximum size of one batch, so that a batch isn't longer than a segment. */
    int maxBatchBytes() {
      return segment / 4;
    }
  }
}
