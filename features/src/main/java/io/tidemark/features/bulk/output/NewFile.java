// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.output;

import io.tidemark.features.bulk.output.ExportOptions.IfThere;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * A file that is there when it is whole, and not before: written beside, and then given its name.
 */
public final class NewFile implements AutoCloseable {

  private final Path file;
  private final Path part;
  private final IfThere there;

  private NewFile(Path file, Path part, IfThere there) {
    this.file = file;
    this.part = part;
    this.there = there;
  }

  /** Begins a file. */
  public static NewFile at(Path file, IfThere there) {
    Path target = file.toAbsolutePath();
    if (there == IfThere.REFUSE && Files.exists(target)) {
      throw ExportException.there(file, null);
    }
    String name = ".%s.%s.part".formatted(target.getFileName(), UUID.randomUUID());
    return new NewFile(target, target.resolveSibling(name), there);
  }

  /** Where to write it. */
  public Path part() {
    return part;
  }

  /** Where to keep what is needed until it is written. */
  Path scratch() {
    return part.resolveSibling(part.getFileName() + ".duckdb");
  }

  /** It is whole. */
  public void finish() throws IOException {
    try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    if (there == IfThere.REPLACE) {
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return;
    }
    try {
      // Unlike a rename, a link never takes the place of what somebody has put there meanwhile.
      Files.createLink(file, part);
    } catch (FileAlreadyExistsException e) {
      throw ExportException.there(file, e);
    } catch (UnsupportedOperationException e) {
      Files.move(part, file);
    }
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(part);
    Files.deleteIfExists(scratch());
    Files.deleteIfExists(scratch().resolveSibling(scratch().getFileName() + ".wal"));
  }
}
