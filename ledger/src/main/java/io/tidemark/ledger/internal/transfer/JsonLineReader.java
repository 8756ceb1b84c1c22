// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The lines of a text as records, as bytes: there may be very many, and whether they are UTF-8 is
 * seen by whoever makes facts of them, on all cores.
 */
final class JsonLineReader {

  private static final int CHUNK = 1 << 18;

  private final InputStream in;
  private final String name;
  private final int longest;
  private final Consumer<TextRecord> records;
  private long line = 1;

  /** What was read last; records refer to it, so nothing of it is written again. */
  private byte[] chunk = {};

  /** Where the line that is begun begins, and up to where the chunk is filled. */
  private int start;

  private int end;

  JsonLineReader(InputStream in, String name, int longest, Consumer<TextRecord> records) {
    this.in = in;
    this.name = name;
    this.longest = longest;
    this.records = records;
  }

  /** Hands on every record. */
  void read() throws IOException {
    int seen = 0;
    do {
      while (seen < end) {
        if (chunk[seen++] == '\n') {
          emit(start, seen - 1);
          line++;
          start = seen;
        }
      }
      seen = makeRoom(seen);
    } while (fill());
    emit(start, end);
  }

  /** When the chunk is full, takes the line that is begun along into another one. */
  private int makeRoom(int seen) {
    if (end < chunk.length) {
      return seen;
    }
    int rest = end - start;
    if (rest > longest) {
      throw JsonRecordReader.tooLong(name, line, longest);
    }
    byte[] next = new byte[Math.max(CHUNK, rest * 2)];
    System.arraycopy(chunk, start, next, 0, rest);
    chunk = next;
    start = 0;
    end = rest;
    return rest;
  }

  /** Reads on behind what is there, to which records refer; false at the end of the text. */
  private boolean fill() throws IOException {
    int read = in.read(chunk, end, chunk.length - end);
    end += Math.max(read, 0);
    return read >= 0;
  }

  /** An empty line, and so nothing, is no record. */
  private void emit(int first, int stop) {
    int from = first;
    int to = stop;
    while (from < to && isSpace(chunk[from])) {
      from++;
    }
    while (from < to && isSpace(chunk[to - 1])) {
      to--;
    }
    if (from == to) {
      return;
    }
    if (to - from > longest) {
      throw JsonRecordReader.tooLong(name, line, longest);
    }
    TextRecord record = new TextRecord(chunk, from, to, name, line);
    // Beyond ASCII there are other spaces.
    if (chunk[from] > 0 || !record.json().isEmpty()) {
      records.accept(record);
    }
  }

  private static boolean isSpace(byte c) {
    return c >= 0 && Character.isWhitespace((char) c);
  }

  /** The text from where its first record begins, after so many lines. */
  void startWith(byte[] bytes, int from, int to, long firstLine) {
    chunk = Arrays.copyOfRange(bytes, from, to);
    end = chunk.length;
    line = firstLine;
  }
}
