// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A process on this machine with hooks before what it asks of the disk. */
final class HookedHostOps implements HostOps {

  /** What happens before a write. */
  interface Hook {
    void beforeWrite() throws IOException;
  }

  /** What happens before a file is made, or a file or directory synced. */
  interface PathHook {
    void before(Path path) throws IOException;
  }

  private final String boot;
  private final LogLimits scale;
  private final AtomicInteger writes = new AtomicInteger();
  private volatile Hook hook = () -> {};
  private volatile PathHook syncHook = path -> {};
  private volatile PathHook createHook = path -> {};

  HookedHostOps(String boot, LogLimits scale) {
    this.boot = boot;
    this.scale = scale;
  }

  void hook(Hook next) {
    hook = next;
  }

  void syncHook(PathHook next) {
    syncHook = next;
  }

  void createHook(PathHook next) {
    createHook = next;
  }

  /** How many writes to logs, each with its sync, there have been. */
  int writes() {
    return writes.get();
  }

  @Override
  public String boot() {
    return boot;
  }

  @Override
  public long ticks() {
    return LocalHostOps.INSTANCE.ticks();
  }

  @Override
  public void sync(Path path) throws IOException {
    syncHook.before(path);
    LocalHostOps.INSTANCE.sync(path);
  }

  @Override
  public DurableFile create(Path file, int size) throws IOException {
    createHook.before(file);
    DurableFile real = LocalHostOps.INSTANCE.create(file, size);
    return new DurableFile() {
      @Override
      public void write(long position, byte[] bytes) throws IOException {
        hook.beforeWrite();
        real.write(position, bytes);
        writes.incrementAndGet();
      }

      @Override
      public void close() throws IOException {
        real.close();
      }
    };
  }

  @Override
  public void runInBackground(Runnable task) {
    LocalHostOps.INSTANCE.runInBackground(task);
  }

  @Override
  public LogLimits limits() {
    return scale;
  }
}
