// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.bench.features.FeatureWriter.PreparedBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What something took.
 *
 * @param cpuMicros CPU time of the server's process, user and system
 * @param wallMicros by the clock
 */
record WriteCost(double cpuMicros, double wallMicros) {

  static final WriteCost NOTHING = new WriteCost(0, 0);

  static WriteCost of(long pid, PreparedBatch preparedBatch) throws Exception {
    double cpu = cpuMicros(pid);
    long start = System.nanoTime();
    preparedBatch.run();
    return new WriteCost(cpuMicros(pid) - cpu, (System.nanoTime() - start) / 1e3);
  }

  /** As in utime and stime of {@code /proc/PID/stat}, but in nanoseconds instead of ticks. */
  private static double cpuMicros(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(pid), "schedstat"));
    return Long.parseLong(stat.substring(0, stat.indexOf(' '))) / 1e3;
  }

  WriteCost plus(WriteCost other) {
    return new WriteCost(cpuMicros + other.cpuMicros, wallMicros + other.wallMicros);
  }

  /** For each of so many features. */
  WriteCost each(int features) {
    return new WriteCost(cpuMicros / features, wallMicros / features);
  }
}
