// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import io.tidemark.ledger.schema.InvalidValueException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.SequenceInputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Reader of the records of a text, one at a time: each line is one, or each item of the JSON array
 * that the text is. A record that is longer than allowed is refused, before it fills the memory.
 */
public final class JsonRecordReader {

  private static final int BYTE_ORDER_MARK = 0xFEFF;
  private static final int BEGINNING = 1 << 16;

  private final Reader in;
  private final String name;
  private final int longest;
  private final char[] buffer = new char[1 << 16];
  private int position;
  private int end;
  private final StringBuilder text = new StringBuilder();
  private long line = 1;
  private long start = 1;

  private JsonRecordReader(Reader in, String name, int longest) {
    this.in = in;
    this.name = name;
    this.longest = longest;
  }

  /**
   * Passes every record to the consumer.
   *
   * @param name name of the text in messages
   * @param longest maximum number of characters of a record, or of bytes if records are lines
   * @throws InvalidValueException if the text is wrong or a record too long, naming the line
   * @throws TransferException if the text can't be read
   */
  public static void read(
      InputStream text, String name, int longest, Consumer<TextRecord> records) {
    try {
      byte[] beginning = text.readNBytes(BEGINNING);
      int first = firstOfLines(beginning);
      if (first >= 0) {
        JsonLineReader lines = new JsonLineReader(text, name, longest, records);
        lines.startWith(beginning, first, beginning.length, linesBefore(beginning, first));
        lines.read();
      } else {
        InputStream whole = new SequenceInputStream(new ByteArrayInputStream(beginning), text);
        readAsCharacters(whole, name, longest, records);
      }
    } catch (IOException e) {
      throw TransferException.reading(name, e);
    }
  }

  /** Returns where records begin that are lines; negative when they may be something else. */
  private static int firstOfLines(byte[] beginning) {
    int at = 0;
    while (at < beginning.length
        && beginning[at] > 0
        && Character.isWhitespace((char) beginning[at])) {
      at++;
    }
    boolean plain = at < beginning.length && beginning[at] > 0 && beginning[at] != '[';
    return plain ? at : -1;
  }

  private static long linesBefore(byte[] beginning, int first) {
    long line = 1;
    for (int i = 0; i < first; i++) {
      line += beginning[i] == '\n' ? 1 : 0;
    }
    return line;
  }

  private static void readAsCharacters(
      InputStream text, String name, int longest, Consumer<TextRecord> records) throws IOException {
    Reader in =
        new InputStreamReader(
            text,
            StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT));
    JsonRecordReader reader = new JsonRecordReader(in, name, longest);
    try {
      reader.read(records);
    } catch (CharacterCodingException e) {
      throw new InvalidValueException(
          name + " isn't UTF-8, near line " + reader.line + "; convert it");
    }
  }

  private void read(Consumer<TextRecord> records) throws IOException {
    int c = next();
    if (c == BYTE_ORDER_MARK) {
      c = next();
    }
    while (c >= 0 && Character.isWhitespace(c)) {
      line += c == '\n' ? 1 : 0;
      c = next();
    }
    if (c == '[') {
      readItems(records);
      return;
    }
    start = line;
    if (c >= 0) {
      text.append((char) c);
      readLines(records);
    }
  }

  /** Copies lines as a whole, since there may be very many. */
  private void readLines(Consumer<TextRecord> records) throws IOException {
    while (position < end || fill()) {
      int stop = position;
      while (stop < end && buffer[stop] != '\n') {
        stop++;
      }
      requireShort(stop - position);
      text.append(buffer, position, stop - position);
      position = stop;
      if (stop < end) {
        position++;
        emit(records);
        start = ++line;
      }
    }
    emit(records);
  }

  /**
   * Returns the next character; less than 0 at the end. A buffered reader would lock for each one.
   */
  private int next() throws IOException {
    return position < end || fill() ? buffer[position++] : -1;
  }

  private boolean fill() throws IOException {
    end = Math.max(in.read(buffer), 0);
    position = 0;
    return end > 0;
  }

  /** Cuts an array into its items, by brackets and quotes alone; each item is parsed later. */
  private void readItems(Consumer<TextRecord> records) throws IOException {
    start = line;
    int depth = 1;
    boolean quoted = false;
    for (int c = next(); c >= 0; c = next()) {
      line += c == '\n' ? 1 : 0;
      if (quoted) {
        add(c);
        if (c == '\\') {
          add(Math.max(next(), ' '));
        }
        quoted = c != '"';
        continue;
      }
      depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
      quoted = c == '"';
      if (depth == 0) {
        emit(records);
        requireEnd();
        return;
      }
      if (c == ',' && depth == 1) {
        emit(records);
      } else {
        add(c);
      }
    }
    throw new InvalidValueException(
        name + " begins with '[' and has no ']' at its end; is a part of it missing?");
  }

  private void requireEnd() throws IOException {
    for (int c = next(); c >= 0; c = next()) {
      if (!Character.isWhitespace(c)) {
        throw new InvalidValueException(
            name + " goes on after the ']' of its array, in line " + line + "; remove that");
      }
    }
  }

  private void add(int c) {
    if (text.isEmpty() && Character.isWhitespace(c)) {
      start = line;
      return;
    }
    if (text.isEmpty()) {
      start = line;
    }
    requireShort(1);
    text.append((char) c);
  }

  private void requireShort(int more) {
    if (text.length() + (long) more > longest) {
      throw tooLong(name, start, longest);
    }
  }

  static InvalidValueException tooLong(String name, long line, int longest) {
    return new InvalidValueException(
        name
            + ", line "
            + line
            + ": a record of more than "
            + longest
            + " characters; is a line end or a bracket missing?");
  }

  /** Passes on a record; an empty line is none. */
  private void emit(Consumer<TextRecord> records) {
    String record = text.toString().strip();
    text.setLength(0);
    if (!record.isEmpty()) {
      records.accept(TextRecord.of(record, name, start));
    }
  }
}
