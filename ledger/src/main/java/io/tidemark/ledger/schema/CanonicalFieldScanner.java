// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.objects.internal.json.UnescapedText;
import java.nio.charset.StandardCharsets;

/**
 * Scanner for one field of a payload that detects values in canonical form. Only a positive result
 * is certain: a negative one may also mean that the check would be too expensive.
 */
final class CanonicalFieldScanner {

  private static final int OTHER = -1;

  /**
   * Number of digits up to which no two numbers are the same double, so each is its shortest form.
   */
  private static final int EXACT_DIGITS = 15;

  private static final int LONG_DIGITS = 18;

  /** Maximum number of zeros behind the point; with more, a double has an exponent. */
  private static final int MOST_ZEROS = 3;

  private static final byte[] NULL = "null".getBytes(US_ASCII);
  private static final byte[] TRUE = "true".getBytes(US_ASCII);
  private static final byte[] FALSE = "false".getBytes(US_ASCII);

  private final byte[] opening;
  private final Scalar type;
  private final boolean optional;

  /**
   * Creates the scanner of a field.
   *
   * @param type a scalar or an optional one
   * @param index position of the field among all fields
   */
  CanonicalFieldScanner(String name, FieldType type, int index) {
    this.opening = ((index == 0 ? "{\"" : ",\"") + name + "\":").getBytes(US_ASCII);
    this.type = (Scalar) type.notNull();
    this.optional = type instanceof FieldType.Nullable;
  }

  /** Returns where the value begins; negative if the field is missing. */
  int behindOpening(byte[] json, int at, int limit) {
    return ExportedLineParser.matchesAt(opening, json, at, limit) ? at + opening.length : OTHER;
  }

  /** Returns where the value ends; negative if it isn't in canonical form. */
  int end(byte[] json, int at, int limit) {
    if (optional && ExportedLineParser.matchesAt(NULL, json, at, limit)) {
      return at + NULL.length;
    }
    return switch (type) {
      case STRING -> text(json, at, limit);
      case LONG, DOUBLE, DECIMAL -> number(json, at, limit);
      case BOOLEAN -> flag(json, at, limit);
      case INSTANT -> instant(json, at, limit);
    };
  }

  /** Returns whether the value that ends there is a double without a fraction. */
  boolean isPointZero(byte[] json, int end) {
    return type == Scalar.DOUBLE && json[end - 1] == '0' && json[end - 2] == '.';
  }

  private static int flag(byte[] json, int at, int limit) {
    if (ExportedLineParser.matchesAt(TRUE, json, at, limit)) {
      return at + TRUE.length;
    }
    return ExportedLineParser.matchesAt(FALSE, json, at, limit) ? at + FALSE.length : OTHER;
  }

  private static int text(byte[] json, int at, int limit) {
    if (at >= limit || json[at] != '"') {
      return OTHER;
    }
    int quote = UnescapedText.end(json, at + 1, limit);
    return quote < limit && json[quote] == '"' ? quote + 1 : OTHER;
  }

  private static int instant(byte[] json, int at, int limit) {
    int end = text(json, at, limit);
    return end >= 0
            && CanonicalInstant.isCanonical(
                new String(json, at + 1, end - at - 2, StandardCharsets.ISO_8859_1))
        ? end
        : OTHER;
  }

  private int number(byte[] json, int start, int limit) {
    boolean negative = start < limit && json[start] == '-';
    int first = negative ? start + 1 : start;
    int point = behindDigits(json, first, limit);
    int whole = point - first;
    boolean zero = whole == 1 && json[first] == '0';
    if (whole == 0 || (json[first] == '0' && !zero)) {
      return OTHER;
    }
    boolean fraction = point < limit && json[point] == '.';
    int end = fraction ? behindDigits(json, point + 1, limit) : point;
    if (fraction && (type == Scalar.LONG || !isFraction(json, point + 1, end, zero))) {
      return OTHER;
    }
    boolean nothing = zero && (!fraction || isPointZero(json, end));
    boolean fits = end - first <= (type == Scalar.LONG ? LONG_DIGITS : EXACT_DIGITS + 1);
    return (fraction || type != Scalar.DOUBLE) && fits && !(nothing && negative) ? end : OTHER;
  }

  /**
   * Returns whether the digits behind a point are as few as possible, and the number none with an
   * exponent.
   */
  private boolean isFraction(byte[] json, int from, int end, boolean zero) {
    if (from == end) {
      return false;
    }
    if (json[end - 1] == '0') {
      return type == Scalar.DOUBLE && end - from == 1;
    }
    int zeros = 0;
    while (zero && json[from + zeros] == '0') {
      zeros++;
    }
    return zeros <= MOST_ZEROS;
  }

  private static int behindDigits(byte[] json, int from, int limit) {
    int at = from;
    while (at < limit && json[at] >= '0' && json[at] <= '9') {
      at++;
    }
    return at;
  }
}
