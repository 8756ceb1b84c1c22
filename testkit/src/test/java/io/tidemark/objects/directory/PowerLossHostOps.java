// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A process on a machine whose disk loses power; what is done in the background is done at once.
 */
final class PowerLossHostOps implements HostOps {
  private final PowerLossDisk disk;
  private final String boot;
  private final LogLimits scale;

  PowerLossHostOps(PowerLossDisk disk, String boot, LogLimits scale) {
    this.disk = disk;
    this.boot = boot;
    this.scale = scale;
  }

  @Override
  public String boot() {
    return boot;
  }

  @Override
  public long ticks() {
    return System.nanoTime();
  }

  @Override
  public void sync(Path path) throws IOException {
    disk.sync(path);
  }

  @Override
  public DurableFile create(Path file, int size) throws IOException {
    return disk.create(file, size);
  }

  @Override
  public void runInBackground(Runnable task) {
    task.run();
  }

  @Override
  public LogLimits limits() {
    return scale;
  }
}
