// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** The machine that this process runs on. */
final class LocalHostOps implements HostOps {

  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
  private static final int CHUNK = 1 << 20;

  /** After the constants that it needs. */
  static final HostOps INSTANCE = new LocalHostOps();

  private final String boot = readBoot();

  private LocalHostOps() {}

  /** Where the kernel doesn't tell, every process counts as a boot: then more is replayed. */
  private static String readBoot() {
    try {
      return Files.readString(BOOT_ID).strip();
    } catch (IOException e) {
      return UUID.randomUUID().toString();
    }
  }

  @Override
  public String boot() {
    return boot;
  }

  @Override
  public long ticks() {
    return System.nanoTime();
  }

  /** An interrupt would close the channel, so it is kept for afterwards. */
  @Override
  public void sync(Path path) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
          channel.force(true);
          return;
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Zeros are written, not skipped, so that later writes change nothing but content. */
  @Override
  public DurableFile create(Path file, int size) throws IOException {
    try (RandomAccessFile fresh = new RandomAccessFile(file.toFile(), "rw")) {
      byte[] zeros = new byte[CHUNK];
      for (int left = size; left > 0; left -= CHUNK) {
        fresh.write(zeros, 0, Math.min(left, CHUNK));
      }
      fresh.getFD().sync();
    }
    return new SyncedFile(file);
  }

  @Override
  public void runInBackground(Runnable task) {
    Thread thread = new Thread(task, "tidemark-settle");
    thread.setDaemon(true);
    thread.start();
  }

  /** Not a channel: an interrupt would close it. Mode "rwd" is one fdatasync with each write. */
  private static final class SyncedFile implements DurableFile {
    private final RandomAccessFile file;

    SyncedFile(Path file) throws IOException {
      this.file = new RandomAccessFile(file.toFile(), "rwd");
    }

    @Override
    public void write(long position, byte[] bytes) throws IOException {
      file.seek(position);
      file.write(bytes);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
