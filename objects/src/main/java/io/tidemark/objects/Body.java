// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Bytes to be written, of known length and readable more than once, so that an attempt that failed
 * can be made again.
 */
public final class Body {

  /** Opens a fresh stream over the same bytes each time it is asked. */
  @FunctionalInterface
  public interface Source {
    InputStream open() throws IOException;
  }

  private final long length;
  private final Source source;

  private Body(long length, Source source) {
    this.length = length;
    this.source = source;
  }

  /**
   * Returns a body of the given bytes; the caller must not change them until the write has
   * returned.
   */
  public static Body of(byte[] bytes) {
    return new Body(bytes.length, () -> new ByteArrayInputStream(bytes));
  }

  /** Returns a body of the text in UTF-8. */
  public static Body of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Returns a body of the content of a file, which must not change until the write has returned.
   */
  public static Body ofFile(Path file) {
    try {
      return new Body(Files.size(file), () -> Files.newInputStream(file));
    } catch (IOException e) {
      throw new UncheckedIOException("can't read " + file + " to store it", e);
    }
  }

  /**
   * Bytes from a stream.
   *
   * @param length how many bytes each stream holds; a write fails when it holds another number
   * @param source opens the stream, once for each attempt
   */
  public static Body ofStream(long length, Source source) {
    if (length < 0) {
      throw new IllegalArgumentException("a body can't have a length of " + length);
    }
    return new Body(length, source);
  }

  /** Returns the number of bytes. */
  public long length() {
    return length;
  }

  /** Returns a fresh stream over the bytes; the caller closes it. */
  public InputStream open() throws IOException {
    return source.open();
  }
}
