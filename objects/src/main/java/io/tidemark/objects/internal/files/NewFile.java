// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.files;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.FileErrors;
import io.tidemark.objects.TidemarkException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * File that appears when it is whole: it is written under another name beside its place and then
 * renamed.
 */
public final class NewFile implements AutoCloseable {

  private final Path file;
  private final Path part;
  private final Existing existing;

  private enum Existing {
    REFUSED,
    REPLACED
  }

  private NewFile(Path file, Existing existing) {
    Path target = file.toAbsolutePath();
    String name = ".%s.%s.part".formatted(target.getFileName(), UUID.randomUUID());
    this.file = target;
    this.part = target.resolveSibling(name);
    this.existing = existing;
  }

  /**
   * Begins a file where there is none.
   *
   * @throws TidemarkException with the code already-exists if there is one, or is when this one is
   *     whole
   */
  public static NewFile at(Path file) {
    if (Files.exists(file)) {
      throw exists(file, null);
    }
    return new NewFile(file, Existing.REFUSED);
  }

  /** Begins a file that replaces one of that name. */
  public static NewFile replacing(Path file) {
    return new NewFile(file, Existing.REPLACED);
  }

  private static TidemarkException exists(Path file, @Nullable Throwable cause) {
    return new TidemarkException(
        ErrorCode.ALREADY_EXISTS,
        "%s is there already; choose another name, or have it replaced".formatted(file),
        cause);
  }

  /** Returns the failure to write a file, or an output of that name. */
  public static TidemarkException failure(Object file, Throwable cause) {
    return new TidemarkException(
        ErrorCode.STORAGE_FAILURE,
        "%s can't be written: %s; nothing of it is there".formatted(file, reason(cause)),
        cause);
  }

  private static String reason(Throwable cause) {
    Throwable within = cause instanceof UncheckedIOException ? cause.getCause() : cause;
    return within instanceof IOException io
        ? FileErrors.reason(io)
        : String.valueOf(cause.getMessage());
  }

  /** Returns the path at which the file is written. */
  public Path part() {
    return part;
  }

  /** Returns the path of a temporary DuckDB database beside the file. */
  public Path scratch() {
    return part.resolveSibling(part.getFileName() + ".duckdb");
  }

  /** Puts the file in its place. */
  public void finish() throws IOException {
    try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    if (existing == Existing.REPLACED) {
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return;
    }
    try {
      // Unlike a rename, a link never replaces a file that was created meanwhile.
      Files.createLink(file, part);
    } catch (FileAlreadyExistsException e) {
      throw exists(file, e);
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
