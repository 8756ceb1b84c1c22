// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Conversion between the values of a Java type and those of a field's type. {@link ValueCheck}
 * enforces the rules of the field, so null is written as null.
 *
 * @param writer not called for null
 * @param reader not called for null
 * @param none the stand-in for null in Java: null, or an empty {@code Optional}
 */
record Conversion(
    FieldType type,
    Function<Object, JsonNode> writer,
    Function<JsonNode, Object> reader,
    @Nullable Object none) {

  static Conversion of(
      FieldType type, Function<Object, JsonNode> writer, Function<JsonNode, Object> reader) {
    return new Conversion(type, writer, reader, null);
  }

  JsonNode write(@Nullable Object value) {
    return value == null ? NullNode.getInstance() : writer.apply(value);
  }

  @Nullable Object read(JsonNode json) {
    return json.isNull() || json.isMissingNode() ? none : reader.apply(json);
  }

  /** Returns the conversion of values that may be null. */
  Conversion optional() {
    return new Conversion(new FieldType.Nullable(type), writer, reader, none);
  }
}
