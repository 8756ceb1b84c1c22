// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.parquet;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.tidemark.ledger.schema.FieldType.Scalar;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;

/**
 * Takes the values of the typed columns out of a payload.
 *
 * <p>The payload is what counts and may be of any writer. A value that doesn't fit its column is
 * null there, and so is everything behind a place where the text stops being JSON: a row is never
 * refused for what it says in a copy.
 */
final class TypedValues {

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          // Other writers put NaN into payloads; no reason to lose the values behind it.
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build();

  private static final int NULL = 0;
  private static final int VALUE = 1;

  private final List<Scalar> types;
  private final Map<String, Integer> columns = new HashMap<>();
  private final boolean[] written;

  TypedValues(SortedMap<String, Scalar> fields) {
    this.types = List.copyOf(fields.values());
    this.written = new boolean[types.size()];
    for (String name : fields.keySet()) {
      columns.put(name, columns.size());
    }
  }

  /**
   * Writes one value or null to each column.
   *
   * @param payload a JSON object in UTF-8
   * @param writers of the typed columns, in their order
   */
  void write(byte[] payload, List<ColumnWriter> writers) {
    if (types.isEmpty()) {
      return;
    }
    Arrays.fill(written, false);
    try (JsonParser parser = JSON.createParser(payload)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        writeFields(parser, writers);
      }
    } catch (IOException | NumberFormatException e) {
      // What couldn't be read is null below; the payload itself is stored as it is.
    }
    for (int i = 0; i < written.length; i++) {
      if (!written[i]) {
        writers.get(i).writeNull(0, NULL);
      }
    }
  }

  private void writeFields(JsonParser parser, List<ColumnWriter> writers) throws IOException {
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

  /** Whether the value fitted. */
  private static boolean write(JsonParser parser, Scalar type, ColumnWriter writer)
      throws IOException {
    JsonToken token = parser.currentToken();
    switch (type) {
      case STRING, INSTANT -> {
        return token == JsonToken.VALUE_STRING && writeText(parser.getText(), type, writer);
      }
      case BOOLEAN -> {
        if (token.isBoolean()) {
          writer.write(token == JsonToken.VALUE_TRUE, 0, VALUE);
        }
        return token.isBoolean();
      }
      case LONG, DOUBLE, DECIMAL -> {
        return token.isNumeric() && !parser.isNaN() && writeNumber(parser, type, writer);
      }
    }
    return false;
  }

  private static boolean writeText(String text, Scalar type, ColumnWriter writer) {
    if (type == Scalar.STRING) {
      boolean whole = Utf8.canHold(text);
      if (whole) {
        writer.write(Utf8.of(text), 0, VALUE);
      }
      return whole;
    }
    OptionalLong micros = EpochMicros.of(text);
    micros.ifPresent(value -> writer.write(value, 0, VALUE));
    return micros.isPresent();
  }

  private static boolean writeNumber(JsonParser parser, Scalar type, ColumnWriter writer)
      throws IOException {
    if (type == Scalar.DOUBLE) {
      double value = parser.getDoubleValue();
      if (Double.isFinite(value)) {
        writer.write(value, 0, VALUE);
      }
      return Double.isFinite(value);
    }
    if (type == Scalar.LONG && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
        writer.write(parser.getLongValue(), 0, VALUE);
        return true;
      }
    }
    return writeExact(parser.getDecimalValue(), type, writer);
  }

  private static boolean writeExact(BigDecimal number, Scalar type, ColumnWriter writer) {
    int scale = type == Scalar.LONG ? 0 : FileLayout.DECIMAL_SCALE;
    int digits = type == Scalar.LONG ? 19 : FileLayout.DECIMAL_PRECISION;
    BigDecimal value = number.stripTrailingZeros();
    // Looked at before it is scaled: 1e999999999 is short as it stands.
    if (value.scale() > scale || (long) value.precision() - value.scale() + scale > digits) {
      return false;
    }
    BigDecimal scaled = value.setScale(scale);
    if (type == Scalar.DECIMAL) {
      writer.write(fixed(scaled), 0, VALUE);
      return true;
    }
    if (scaled.unscaledValue().bitLength() > 63) {
      return false;
    }
    writer.write(scaled.longValue(), 0, VALUE);
    return true;
  }

  private static Binary fixed(BigDecimal value) {
    byte[] digits = value.unscaledValue().toByteArray();
    byte[] bytes = new byte[FileLayout.DECIMAL_BYTES];
    int start = bytes.length - digits.length;
    Arrays.fill(bytes, 0, start, (byte) (digits[0] < 0 ? -1 : 0));
    System.arraycopy(digits, 0, bytes, start, digits.length);
    return Binary.fromConstantByteArray(bytes);
  }
}
