// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.tidemark.ledger.schema.FieldType.Scalar;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/**
 * Writer of the typed columns, whose values it takes out of payloads.
 *
 * <p>The payload is what counts and may be of any writer. A value that doesn't fit its column is
 * null there, and so is everything behind a place where the text stops being JSON: a row is never
 * refused for what it says in a copy. Most payloads are so plain that {@link SimplePayloadReader}
 * reads them.
 */
final class TypedColumnWriter {

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          // Other writers put NaN into payloads; no reason to lose the values behind it.
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build();

  private final List<Scalar> types;
  private final Map<String, Integer> columns = new HashMap<>();
  private final List<ColumnEncoder> writers;
  private final SimplePayloadReader plain;
  private final boolean[] written;

  /**
   * Creates a writer for some columns.
   *
   * @param writers of these fields, in their order
   */
  TypedColumnWriter(SortedMap<String, Scalar> fields, List<ColumnEncoder> writers) {
    this.types = List.copyOf(fields.values());
    this.writers = writers;
    this.written = new boolean[types.size()];
    for (String name : fields.keySet()) {
      columns.put(name, columns.size());
    }
    this.plain = new SimplePayloadReader(List.copyOf(fields.keySet()), types, writers, written);
  }

  /** Writes one value or null to each column, from a payload in UTF-8. */
  void write(byte[] payload, int from, int to) {
    if (types.isEmpty()) {
      return;
    }
    Arrays.fill(written, false);
    if (!plain.write(payload, from, to)) {
      parse(payload, from, to);
    }
    for (int i = 0; i < written.length; i++) {
      if (!written[i]) {
        writers.get(i).none();
      }
    }
  }

  private void parse(byte[] payload, int from, int to) {
    try (JsonParser parser = JSON.createParser(payload, from, to - from)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        writeFields(parser);
      }
    } catch (IOException | NumberFormatException e) {
      // What couldn't be read is null; the payload itself is stored as it is.
    }
  }

  private void writeFields(JsonParser parser) throws IOException {
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      Integer column = columns.get(name);
      if (column == null || token == null || token.isStructStart()) {
        parser.skipChildren();
      } else if (!written[column]) {
        written[column] = write(parser, types.get(column), writers.get(column));
      }
    }
  }

  /** Writes a value to its column, and returns whether the value fitted. */
  private static boolean write(JsonParser parser, Scalar type, ColumnEncoder writer)
      throws IOException {
    JsonToken token = parser.currentToken();
    switch (type) {
      case STRING, INSTANT -> {
        return token == JsonToken.VALUE_STRING && writeText(parser.getText(), type, writer);
      }
      case BOOLEAN -> {
        if (token.isBoolean()) {
          writer.flag(token == JsonToken.VALUE_TRUE);
        }
        return token.isBoolean();
      }
      case LONG, DOUBLE, DECIMAL -> {
        return token.isNumeric() && !parser.isNaN() && writeNumber(parser, type, writer);
      }
    }
    return false;
  }

  static boolean writeText(String text, Scalar type, ColumnEncoder writer) {
    if (type == Scalar.STRING) {
      boolean whole = Utf8.canHold(text);
      if (whole) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        writer.text(bytes, 0, bytes.length);
      }
      return whole;
    }
    OptionalLong micros = EpochMicros.of(text);
    micros.ifPresent(writer::whole);
    return micros.isPresent();
  }

  private static boolean writeNumber(JsonParser parser, Scalar type, ColumnEncoder writer)
      throws IOException {
    if (type == Scalar.DOUBLE) {
      double value = parser.getDoubleValue();
      if (Double.isFinite(value)) {
        writer.real(value);
      }
      return Double.isFinite(value);
    }
    if (type == Scalar.LONG && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
        writer.whole(parser.getLongValue());
        return true;
      }
    }
    return writeExact(parser.getDecimalValue(), type, writer);
  }

  static boolean writeExact(BigDecimal number, Scalar type, ColumnEncoder writer) {
    Optional<BigDecimal> value = TypedColumns.exact(number, type);
    if (value.isEmpty()) {
      return false;
    }
    if (type == Scalar.DECIMAL) {
      writer.fixed(fixed(value.get().setScale(FileLayout.DECIMAL_SCALE)));
    } else {
      writer.whole(value.get().longValue());
    }
    return true;
  }

  private static byte[] fixed(BigDecimal value) {
    byte[] digits = value.unscaledValue().toByteArray();
    byte[] bytes = new byte[FileLayout.DECIMAL_BYTES];
    int start = bytes.length - digits.length;
    Arrays.fill(bytes, 0, start, (byte) (digits[0] < 0 ? -1 : 0));
    System.arraycopy(digits, 0, bytes, start, digits.length);
    return bytes;
  }
}
