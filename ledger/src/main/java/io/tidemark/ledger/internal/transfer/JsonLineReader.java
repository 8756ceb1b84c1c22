// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Reader of the lines of a text as records, as bytes: there may be very many, and the code that
 * makes facts of them checks that they are UTF-8, on all cores.
 */
final class JsonLineReader {

  private static final int CHUNK = 1 << 18;

  private final InputStream in;
  private final String name;
  private final int longest;
  private final Consumer<TextRecord> records;
  private long line = 1;

  /** Buffer that was read last; records refer to it, so nothing of it is written again. */
  private byte[] chunk = {};

  /** Start of the line that is begun, and the end of the filled part of the chunk. */
  private int start;

  private int end;

  JsonLineReader(InputStream in, String name, int longest, Consumer<TextRecord> records) {
    this.in = in;
    this.name = name;
    this.longest = longest;
    this.records = records;
  }

  /** Passes on every record. */
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

  /** Moves the line that is begun into another chunk when the chunk is full. */
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

  /** Reads more behind the bytes that records refer to; returns false at the end of the text. */
  private boolean fill() throws IOException {
    int read = in.read(chunk, end, chunk.length - end);
    end += Math.max(read, 0);
    return read >= 0;
  }

  /** Passes on a record; an empty line is none. */
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

  /** Starts with the text from where its first record begins, after so many lines. */
  void startWith(byte[] bytes, int from, int to, long firstLine) {
    chunk = Arrays.copyOfRange(bytes, from, to);
    end = chunk.length;
    line = firstLine;
  }
}
