// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A type of Java beside the type of a field, with the ways between their values. What a field
 * allows is left to {@link ValueCheck}, so null is written as null.
 *
 * @param writer not called for null
 * @param reader not called for null
 * @param none what stands for null in Java: null, or an empty {@code Optional}
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

  /** The same of values that may be null. */
  Conversion optional() {
    return new Conversion(new FieldType.Nullable(type), writer, reader, none);
  }
}
