// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Copies of trees of JSON as they would come out if they were written and read again, at a tenth of
 * the cost. Knows the usual only: what is odd or very large is left to the parser to judge.
 */
final class JsonNormalizer {

  private static final int DEEPEST = 100;
  private static final int MOST_DIGITS = 100;
  private static final int LONGEST_TEXT = 1 << 20;
  private static final int LONGEST_NAME = 1 << 10;

  /** Maximum number of bytes of one escaped character, and of the punctuation around a value. */
  private static final int ESCAPED = 6;

  private static final int AROUND = 4;
  private static final int LONGEST_NUMBER = 2 * MOST_DIGITS + 16;

  private JsonNormalizer() {}

  /** Returns a copy; empty when it takes a parser to make one. */
  static Optional<ObjectNode> of(JsonNode node) {
    return node.isObject() && copy(node, 0) instanceof ObjectNode copy
        ? Optional.of(copy)
        : Optional.empty();
  }

  /** Returns a bound for the length of a copied tree in bytes, when it is written. */
  static long mostBytes(JsonNode node) {
    long bytes = AROUND;
    if (node.isTextual()) {
      bytes += (long) ESCAPED * node.textValue().length();
    } else if (node.isNumber()) {
      bytes += LONGEST_NUMBER;
    } else if (node.isContainerNode()) {
      for (Map.Entry<String, JsonNode> field : node.properties()) {
        bytes += AROUND + (long) ESCAPED * field.getKey().length();
      }
      for (JsonNode each : node) {
        bytes += mostBytes(each);
      }
    }
    return bytes;
  }

  /** Returns the maximum number of bytes that a pointer takes as JSON. */
  static long mostBytes(Ref pointer) {
    return 4 * AROUND + (long) ESCAPED * pointer.id().orElse("").length() + LONGEST_NUMBER;
  }

  /** Null when it takes a parser. */
  private static @Nullable JsonNode copy(JsonNode node, int depth) {
    if (depth > DEEPEST) {
      return null;
    }
    if (node instanceof ObjectNode object) {
      return copyObject(object, depth);
    }
    if (node instanceof ArrayNode array) {
      return copyArray(array, depth);
    }
    if (node instanceof TextNode) {
      return node.textValue().length() <= LONGEST_TEXT ? node : null;
    }
    if (node instanceof BooleanNode || node instanceof NullNode) {
      return node;
    }
    return node.isNumber() ? number(node) : null;
  }

  private static @Nullable JsonNode copyObject(ObjectNode object, int depth) {
    ObjectNode out = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      JsonNode value = copy(field.getValue(), depth + 1);
      if (value == null || field.getKey().length() > LONGEST_NAME) {
        return null;
      }
      out.set(field.getKey(), value);
    }
    return out;
  }

  private static @Nullable JsonNode copyArray(ArrayNode array, int depth) {
    ArrayNode out = JsonNodeFactory.instance.arrayNode(array.size());
    for (JsonNode each : array) {
      JsonNode value = copy(each, depth + 1);
      if (value == null) {
        return null;
      }
      out.add(value);
    }
    return out;
  }

  private static @Nullable JsonNode number(JsonNode node) {
    if (node.isIntegralNumber()) {
      if (node.canConvertToInt()) {
        return node instanceof IntNode ? node : IntNode.valueOf(node.intValue());
      }
      return node.canConvertToLong() ? LongNode.valueOf(node.longValue()) : null;
    }
    if (!(node instanceof DecimalNode)) {
      return null;
    }
    BigDecimal value = node.decimalValue();
    boolean usual =
        value.precision() <= MOST_DIGITS && Math.abs((long) value.scale()) <= MOST_DIGITS;
    return usual ? node : null;
  }
}
