// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A process on this machine with hooks before what it asks of the disk. */
final class HookedMachine implements Machine {

  /** What happens before a write. */
  interface Hook {
    void beforeWrite() throws IOException;
  }

  /** What happens before a file is made, or a file or directory synced. */
  interface PathHook {
    void before(Path path) throws IOException;
  }

  private final String boot;
  private final LogScale scale;
  private final AtomicInteger writes = new AtomicInteger();
  private volatile Hook hook = () -> {};
  private volatile PathHook syncHook = path -> {};
  private volatile PathHook createHook = path -> {};

  HookedMachine(String boot, LogScale scale) {
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
    return ThisMachine.INSTANCE.ticks();
  }

  @Override
  public void sync(Path path) throws IOException {
    syncHook.before(path);
    ThisMachine.INSTANCE.sync(path);
  }

  @Override
  public DurableFile create(Path file, int size) throws IOException {
    createHook.before(file);
    DurableFile real = ThisMachine.INSTANCE.create(file, size);
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
  public void inBackground(Runnable task) {
    ThisMachine.INSTANCE.inBackground(task);
  }

  @Override
  public LogScale scale() {
    return scale;
  }
}
