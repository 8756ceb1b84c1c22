// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.measure;

import io.tidemark.objects.directory.Durability;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The floor of a directory store: the file operations without which a replaced object can't be
 * whole and, if asked, durable. No locks, no versions, no checks.
 */
public final class BareFiles {
  private final Path directory;
  private final Durability durability;
  private final AtomicLong files = new AtomicLong();

  public BareFiles(Path directory, Durability durability) throws IOException {
    this.directory = Files.createDirectories(directory);
    this.durability = durability;
  }

  /** Writes, syncs, renames, syncs the directory; without the syncs for the page cache. */
  public void replace(String name, byte[] bytes) throws IOException {
    Path temporary = directory.resolve("tmp-" + files.getAndIncrement());
    try (FileOutputStream out = new FileOutputStream(temporary.toFile())) {
      out.write(bytes);
      if (durability == Durability.SYNC) {
        out.getFD().sync();
      }
    }
    Files.move(temporary, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    if (durability == Durability.SYNC) {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  public byte[] read(String name) throws IOException {
    return Files.readAllBytes(directory.resolve(name));
  }
}
