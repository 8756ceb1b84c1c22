// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.features.model.InvalidRequestException;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Values that fields are compared with. */
final class FilterValues {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int LONGEST = 1 << 20;
  private static final int MOST_DIGITS = 1_000;
  private static final int DEEPEST = 100;

  private FilterValues() {}

  static JsonNode of(Object value) {
    if (value instanceof JsonNode node) {
      return node.deepCopy();
    }
    if (value instanceof String text) {
      return JSON.textNode(text);
    }
    if (value instanceof Boolean known) {
      return JSON.booleanNode(known);
    }
    if (value instanceof BigDecimal || value instanceof BigInteger) {
      return JSON.numberNode(new BigDecimal(value.toString()));
    }
    if (value instanceof Double || value instanceof Float) {
      double number = ((Number) value).doubleValue();
      if (!Double.isFinite(number)) {
        throw new InvalidRequestException(
            "%s is no number that a field can be compared with; give a finite one"
                .formatted(value));
      }
      return JSON.numberNode(new BigDecimal(value.toString()));
    }
    if (value instanceof Number number) {
      return JSON.numberNode(number.longValue());
    }
    throw new InvalidRequestException(
        "a field can't be compared with a %s; give a text, a number, a boolean or JSON"
            .formatted(value.getClass().getName()));
  }

  /** Returns the value, after a check that PostgreSQL can represent it and accept it in a query. */
  static JsonNode checked(JsonNode value) {
    check(value, 0);
    return value;
  }

  private static void check(JsonNode value, int depth) {
    if (value.isMissingNode() || value.isPojo() || value.isBinary() || depth > DEEPEST) {
      throw new InvalidRequestException(
          "a value is no JSON, or nested deeper than %d; give plain JSON".formatted(DEEPEST));
    }
    if (value.isTextual()) {
      checkText(value.textValue());
    }
    if (value.isNumber()) {
      checkNumber(value);
    }
    value.fieldNames().forEachRemaining(FilterValues::checkText);
    value.forEach(part -> check(part, depth + 1));
  }

  private static void checkNumber(JsonNode value) {
    if ((value.isDouble() || value.isFloat()) && !Double.isFinite(value.doubleValue())) {
      throw new InvalidRequestException(value + " is no number; give a finite one");
    }
    BigDecimal number = value.decimalValue();
    if (Math.abs((long) number.scale()) > MOST_DIGITS || number.precision() > MOST_DIGITS) {
      throw new InvalidRequestException(
          "a number has more than %d digits, or an exponent beyond; give a shorter one"
              .formatted(MOST_DIGITS));
    }
  }

  private static void checkText(String text) {
    if (text.indexOf('\0') >= 0 || text.length() > LONGEST) {
      throw new InvalidRequestException(
          "a text of %d characters, or one with NUL, can't be looked for; give at most %d"
              .formatted(text.length(), LONGEST));
    }
  }

  /** Returns the value in a message. */
  static String describe(JsonNode value) {
    String text = value.toString();
    return text.length() > 100 ? text.substring(0, 100) + "…" : text;
  }
}
