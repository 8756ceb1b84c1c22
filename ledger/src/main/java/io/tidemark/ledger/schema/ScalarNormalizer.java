// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.objects.Decimals;
import io.tidemark.objects.UtcTimestamp;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/** Normaliser of single values to canonical form; reports values that have none. */
final class ScalarNormalizer {

  private static final int DIGITS_BEFORE_POINT = 20;
  private static final int DIGITS_BEHIND_POINT = 18;
  private static final int LONGEST_NUMBER = 100;

  /** Number of digits that tell every double from all other doubles. */
  private static final int DOUBLE_DIGITS = 17;

  // The order of moments as text is that of their time only while years have four digits.
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private ScalarNormalizer() {}

  static JsonNode normalize(Scalar type, JsonNode value, ValuePath valuePath) {
    return switch (type) {
      case STRING -> string(value, valuePath);
      case LONG -> whole(value, valuePath);
      case DOUBLE -> real(value, valuePath);
      case BOOLEAN -> {
        if (!value.isBoolean()) {
          throw valuePath.mismatch(value, "it is a boolean: give true or false");
        }
        yield value;
      }
      case DECIMAL -> decimal(value, valuePath);
      case INSTANT -> instant(value, valuePath);
    };
  }

  private static JsonNode string(JsonNode value, ValuePath valuePath) {
    if (!value.isTextual()) {
      throw valuePath.mismatch(value, "it is a string: give text in quotes");
    }
    if (!isUnicode(value.textValue())) {
      throw valuePath.mismatch(
          value, "it has half of a surrogate pair, which is no character: give the whole or none");
    }
    return value;
  }

  /** Returns whether every surrogate is one of a pair. */
  static boolean isUnicode(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
        if (Character.isLowSurrogate(c)
            || i + 1 == text.length()
            || !Character.isLowSurrogate(text.charAt(++i))) {
          return false;
        }
      }
    }
    return true;
  }

  private static JsonNode whole(JsonNode value, ValuePath valuePath) {
    if (value.isIntegralNumber() && value.canConvertToLong()) {
      return value;
    }
    if (isFinite(value) && !value.isIntegralNumber()) {
      try {
        return LongNode.valueOf(value.decimalValue().longValueExact());
      } catch (ArithmeticException e) {
        // Reported below, with what would fit.
      }
    }
    throw valuePath.mismatch(value, "it is a long: give a whole number from -2^63 to 2^63 - 1");
  }

  /** Returns the number as a double; every finite number fits. */
  static JsonNode real(JsonNode value, ValuePath valuePath) {
    double number = value.isNumber() ? value.doubleValue() : Double.NaN;
    if (!Double.isFinite(number)) {
      throw valuePath.mismatch(
          value, "it is a double: give a number of at most 1.7976931348623157e308");
    }
    return value.isDouble() ? value : DoubleNode.valueOf(number);
  }

  /**
   * Returns the number of a field of any type: a whole number unchanged, one with a point as a
   * double.
   */
  static JsonNode number(JsonNode value, ValuePath valuePath) {
    if (value.isIntegralNumber()) {
      return value;
    }
    JsonNode stored = real(value, valuePath);
    if (value.isBigDecimal() && isCut(value.decimalValue(), stored.doubleValue())) {
      throw valuePath.mismatch(
          value,
          "a number with a point has at most "
              + DOUBLE_DIGITS
              + " digits here, and an exponent that a double has: give it as text, or declare the"
              + " field as decimal");
    }
    return stored;
  }

  /** Returns whether digits are lost that tell a number from every double, or all of them. */
  private static boolean isCut(BigDecimal number, double stored) {
    return stored == 0
        ? number.signum() != 0
        : number.precision() > DOUBLE_DIGITS
            && Decimals.stripped(number).precision() > DOUBLE_DIGITS;
  }

  private static JsonNode decimal(JsonNode value, ValuePath valuePath) {
    BigDecimal number = null;
    if (value.isTextual() && value.textValue().length() <= LONGEST_NUMBER) {
      try {
        number = new BigDecimal(value.textValue());
      } catch (NumberFormatException e) {
        // Reported below, with what would fit.
      }
    } else if (isFinite(value)) {
      number = value.isDouble() ? BigDecimal.valueOf(value.doubleValue()) : value.decimalValue();
    }
    if (number != null) {
      number = number.signum() == 0 ? BigDecimal.ZERO : Decimals.stripped(number);
      long before = (long) number.precision() - number.scale();
      if (before <= DIGITS_BEFORE_POINT && number.scale() <= DIGITS_BEHIND_POINT) {
        return DecimalNode.valueOf(number.scale() < 0 ? number.setScale(0) : number);
      }
    }
    throw valuePath.mismatch(
        value,
        "it is a decimal: give a number, or one as text, with at most "
            + DIGITS_BEFORE_POINT
            + " digits before the point and "
            + DIGITS_BEHIND_POINT
            + " behind it");
  }

  private static JsonNode instant(JsonNode value, ValuePath valuePath) {
    if (value.isTextual()) {
      if (CanonicalInstant.isCanonical(value.textValue())) {
        return value;
      }
      try {
        Instant moment = OffsetDateTime.parse(value.textValue()).toInstant();
        if (!moment.isBefore(FIRST) && !moment.isAfter(LAST)) {
          return TextNode.valueOf(UtcTimestamp.format(moment));
        }
      } catch (DateTimeParseException e) {
        // Reported below, with what would fit.
      }
    }
    throw valuePath.mismatch(
        value,
        "it is an instant: give text such as \"2026-02-10T12:34:56.789012+00:00\", with an offset"
            + " or Z, in the years 1 to 9999");
  }

  private static boolean isFinite(JsonNode value) {
    return value.isNumber()
        && (value.isBigDecimal()
            || value.isIntegralNumber()
            || Double.isFinite(value.doubleValue()));
  }
}
