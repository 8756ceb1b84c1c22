// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Bytes one by one or up to a stop, and which line they are in. A mark of UTF-8 at the beginning is
 * left out.
 */
final class ByteInput {

  static final int END = -1;

  /** No real feature is larger; the database couldn't store it. */
  private static final int LONGEST = 64 << 20;

  private final InputStream in;
  private final byte[] buffer = new byte[1 << 16];
  private int at;
  private int end;
  private long line = 1;

  ByteInput(InputStream in) throws IOException {
    this.in = in;
    fill();
    if (begins(0x1f, 0x8b)) {
      throw new InvalidInputException(
          "the input is compressed by gzip; unpack it, or give it as a file whose name ends in .gz");
    }
    if (begins(0xff, 0xfe) || begins(0xfe, 0xff)) {
      throw new InvalidInputException(
          "the input is in UTF-16, only UTF-8 is read; convert it: iconv -f UTF-16 -t UTF-8");
    }
    if (end >= 3
        && buffer[0] == (byte) 0xef
        && buffer[1] == (byte) 0xbb
        && buffer[2] == (byte) 0xbf) {
      at = 3;
    }
  }

  private boolean begins(int first, int second) {
    return end >= 2 && (buffer[0] & 0xff) == first && (buffer[1] & 0xff) == second;
  }

  /** Returns the line that the next byte is in. */
  long line() {
    return line;
  }

  /** Returns the next byte, which stays the next. */
  int peek() throws IOException {
    return at < end || fill() ? buffer[at] & 0xff : END;
  }

  int next() throws IOException {
    if (at == end && !fill()) {
      return END;
    }
    int value = buffer[at++] & 0xff;
    if (value == '\n') {
      line++;
    }
    return value;
  }

  /** Returns the next byte that is no white space, which stays the next. */
  int peekNonBlank() throws IOException {
    int value = peek();
    while (value == ' ' || value == '\t' || value == '\n' || value == '\r') {
      next();
      value = peek();
    }
    return value;
  }

  /** Bytes that {@link #keepUntil} stops at. */
  static final class Delimiters {
    private final boolean[] bytes = new boolean[256];

    /** Stops of ASCII characters. */
    static Delimiters of(String characters) {
      Delimiters delimiters = new Delimiters();
      characters.chars().forEach(c -> delimiters.bytes[c] = true);
      return delimiters;
    }
  }

  /** Keeps a byte of an entry. */
  void keep(ByteArrayOutputStream entry, int value) {
    requireRoom(entry, 1);
    entry.write(value);
  }

  /** Keeps the bytes before the next stop, which stays the next byte, or before the end. */
  void keepUntil(Delimiters delimiters, ByteArrayOutputStream entry) throws IOException {
    while (at < end || fill()) {
      int from = at;
      int to = from;
      long lines = 0;
      while (to < end && !delimiters.bytes[buffer[to] & 0xff]) {
        lines += buffer[to++] == '\n' ? 1 : 0;
      }
      at = to;
      line += lines;
      requireRoom(entry, to - from);
      entry.write(buffer, from, to - from);
      if (to < end) {
        return;
      }
    }
  }

  private void requireRoom(ByteArrayOutputStream entry, int bytes) {
    if (entry.size() > LONGEST - bytes) {
      throw new InvalidInputException(
          "line %d: a feature of more than %d bytes begins before it; split it, or see whether the"
                  .formatted(line, LONGEST)
              + " format is another one");
    }
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, in.readNBytes(buffer, 0, buffer.length));
    return end > 0;
  }
}
