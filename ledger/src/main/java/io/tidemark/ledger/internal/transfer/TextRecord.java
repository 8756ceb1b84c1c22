// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.ledger.schema.Fact;
import io.tidemark.ledger.schema.FactBytes;
import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.InvalidValueException;
import io.tidemark.ledger.schema.JsonFactCodec;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.function.Function;

/** Record of a text: its bytes where they were read, and where in the text it stands. */
public final class TextRecord {

  private final byte[] bytes;
  private final int from;
  private final int to;
  private final String name;
  private final long line;

  /**
   * Creates a record of a part of the bytes that were read.
   *
   * @param bytes not to be changed any more
   * @param name of the text, for messages
   * @param line of the text in which it begins
   */
  TextRecord(byte[] bytes, int from, int to, String name, long line) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.name = name;
    this.line = line;
  }

  static TextRecord of(String json, String name, long line) {
    byte[] bytes = json.getBytes(UTF_8);
    return new TextRecord(bytes, 0, bytes.length, name, line);
  }

  /** Returns the number of bytes of the record. */
  public int length() {
    return to - from;
  }

  /**
   * Returns the record's JSON.
   *
   * @throws InvalidValueException when it isn't UTF-8
   */
  public String json() {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, to - from)).toString().strip();
    } catch (CharacterCodingException e) {
      throw new InvalidValueException(name + " isn't UTF-8, near line " + line + "; convert it");
    }
  }

  /** Takes the fact that it asserts if it is a line just as an export writes it. */
  boolean read(JsonFactCodec facts, FactBytes out) {
    return facts.read(bytes, from, to, out);
  }

  /**
   * Returns the fact that it asserts.
   *
   * @throws InvalidValueException when it is wrong, naming the line
   * @throws InvalidSchemaException when its type isn't known, naming the line
   */
  public Fact read(Function<String, Fact> parser) {
    return parseAt(json(), parser, name, line);
  }

  /**
   * Returns the fact that a record asserts, which stands in a line of a text.
   *
   * @throws InvalidValueException when it is wrong, naming the line
   * @throws InvalidSchemaException when its type isn't known, naming the line
   */
  public static <T> Fact parseAt(T record, Function<T, Fact> parser, String name, long line) {
    try {
      return parser.apply(record);
    } catch (InvalidValueException e) {
      throw new InvalidValueException(place(name, line) + e.getMessage());
    } catch (InvalidSchemaException e) {
      throw new InvalidSchemaException(place(name, line) + e.getMessage());
    }
  }

  private static String place(String name, long line) {
    return name + ", line " + line + ": ";
  }
}
