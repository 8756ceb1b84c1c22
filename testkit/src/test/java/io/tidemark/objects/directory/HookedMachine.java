// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A process on this machine with a hook before each write to a log. */
final class HookedMachine implements Machine {

  /** What happens before a write. */
  interface Hook {
    void beforeWrite() throws IOException;
  }

  private final String boot;
  private final LogScale scale;
  private final AtomicInteger writes = new AtomicInteger();
  private volatile Hook hook = () -> {};

  HookedMachine(String boot, LogScale scale) {
    this.boot = boot;
    this.scale = scale;
  }

  void hook(Hook next) {
    hook = next;
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
    ThisMachine.INSTANCE.sync(path);
  }

  @Override
  public DurableFile create(Path file, int size) throws IOException {
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
