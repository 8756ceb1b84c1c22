// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Blob;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Map;
import org.duckdb.DuckDBStruct;
import org.jspecify.annotations.Nullable;

/** Encoder of values of a statement's answer as JSON. What JSON has no form for becomes text. */
final class SqlJsonEncoder {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private SqlJsonEncoder() {}

  static JsonNode json(@Nullable Object value) throws SQLException {
    if (value == null) {
      return JSON.nullNode();
    }
    if (value instanceof Number number) {
      return number(number);
    }
    if (value instanceof Boolean bool) {
      return JSON.booleanNode(bool);
    }
    if (value instanceof Array array) {
      return array((Object[]) array.getArray());
    }
    if (value instanceof DuckDBStruct struct) {
      return object(struct.getMap());
    }
    if (value instanceof Map<?, ?> map) {
      return object(map);
    }
    if (value instanceof org.duckdb.JsonNode json) {
      return parsed(json.toString());
    }
    return JSON.textNode(text(value));
  }

  private static JsonNode number(Number number) {
    if (number instanceof BigDecimal decimal) {
      // A column of decimals has 18 digits behind the point, of which most are of no use.
      BigDecimal plain = decimal.stripTrailingZeros();
      return JSON.numberNode(plain.scale() < 0 ? plain.setScale(0) : plain);
    }
    if (number instanceof BigInteger whole) {
      return JSON.numberNode(whole);
    }
    if (number instanceof Double || number instanceof Float) {
      double real = number.doubleValue();
      return Double.isFinite(real) ? JSON.numberNode(real) : JSON.textNode(Double.toString(real));
    }
    return JSON.numberNode(number.longValue());
  }

  private static JsonNode array(@Nullable Object[] items) throws SQLException {
    ArrayNode array = JSON.arrayNode();
    for (Object item : items) {
      array.add(json(item));
    }
    return array;
  }

  private static JsonNode object(Map<?, ?> map) throws SQLException {
    ObjectNode object = JSON.objectNode();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      object.set(String.valueOf(entry.getKey()), json(entry.getValue()));
    }
    return object;
  }

  private static JsonNode parsed(String text) {
    try {
      return CanonicalJson.parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      return JSON.textNode(text); // a number that JSON parsers don't take, such as 1e999
    }
  }

  private static String text(Object value) throws SQLException {
    if (value instanceof OffsetDateTime time) {
      return UtcTimestamp.format(time.toInstant());
    }
    if (value instanceof Timestamp local) {
      return local.toLocalDateTime().toString();
    }
    if (value instanceof Blob blob) {
      return Base64.getEncoder().encodeToString(blob.getBytes(1, (int) blob.length()));
    }
    return value.toString();
  }
}
