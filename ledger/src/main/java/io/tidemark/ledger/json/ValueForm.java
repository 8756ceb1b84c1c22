// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.json;

import java.io.IOException;
import java.math.BigDecimal;

/**
 * JSON text with every number in one form, so that two texts are equal exactly when they say the
 * same: {@code 1}, {@code 1.0} and {@code 1e0} are one value, {@code true} is none of them.
 *
 * <p>Works on the text because it is done for every stored row of a type that is written to; a tree
 * would cost several times as much. What isn't {@link CanonicalJson canonical} is made so first.
 */
public final class ValueForm {

  /** Longer whole numbers may be written with an exponent elsewhere; see {@link #normal}. */
  private static final int LONGEST_PLAIN = 300;

  private static final int REWRITTEN = -1;

  private ValueForm() {}

  /**
   * The value form of a JSON text.
   *
   * @throws IOException when it isn't JSON
   */
  public static String of(String json) throws IOException {
    try {
      return CanonicalScan.isCanonical(json)
          ? rewritten(json)
          : rewritten(CanonicalJson.write(CanonicalJson.parse(json)));
    } catch (NumberFormatException e) {
      throw new IOException("no JSON: a number of it can't be read", e);
    }
  }

  private static String rewritten(String json) {
    StringBuilder out = null;
    int copied = 0;
    int i = 0;
    while (i < json.length()) {
      char c = json.charAt(i);
      if (c == '"') {
        i = behindText(json, i + 1);
      } else if (c == '-' || isDigit(c)) {
        int end = endOfNumber(json, i);
        int kept = kept(json, i, end);
        if (kept != end) {
          out = out == null ? new StringBuilder(json.length()) : out;
          out.append(json, copied, i);
          if (kept == REWRITTEN) {
            out.append(normal(json.substring(i, end)));
          } else {
            out.append(json, i, kept);
          }
          copied = end;
        }
        i = end;
      } else {
        i++;
      }
    }
    return out == null ? json : out.append(json, copied, json.length()).toString();
  }

  private static int behindText(String json, int start) {
    int i = start;
    while (i < json.length() && json.charAt(i) != '"') {
      i += json.charAt(i) == '\\' ? 2 : 1;
    }
    return i + 1;
  }

  private static int endOfNumber(String json, int start) {
    int end = start + 1;
    while (end < json.length() && isPartOfNumber(json.charAt(end))) {
      end++;
    }
    return end;
  }

  /**
   * Up to where a number is in its one form, when all that may be wrong with it are zeros at its
   * end; {@link #REWRITTEN} when it takes a closer look. Most numbers are of this kind, and the
   * closer look would cost more than all the rest.
   */
  private static int kept(String json, int start, int end) {
    int first = json.charAt(start) == '-' ? start + 1 : start;
    int point = behindDigits(json, first, end);
    boolean odd = first == point || end - start > LONGEST_PLAIN;
    boolean zero = !odd && json.charAt(first) == '0';
    if (odd || (zero && (first > start || point > first + 1))) {
      return REWRITTEN;
    }
    if (point == end) {
      return end;
    }
    if (json.charAt(point) != '.' || behindDigits(json, point + 1, end) < end) {
      return REWRITTEN;
    }
    if (zero && (point + 1 == end || json.charAt(point + 1) == '0')) {
      return REWRITTEN; // zero, or so small that it may have an exponent
    }
    int kept = end;
    while (json.charAt(kept - 1) == '0') {
      kept--;
    }
    return kept == point + 1 ? point : kept;
  }

  private static int behindDigits(String json, int start, int end) {
    int i = start;
    while (i < end && isDigit(json.charAt(i))) {
      i++;
    }
    return i;
  }

  private static String normal(String number) {
    BigDecimal value = new BigDecimal(number);
    if (value.signum() == 0) {
      return "0";
    }
    BigDecimal stripped = value.stripTrailingZeros();
    // A whole number stays one, unless an exponent makes it so long that nobody means its digits.
    boolean whole = stripped.scale() <= 0 && stripped.scale() > -400;
    return whole ? stripped.toBigInteger().toString() : stripped.toString();
  }

  private static boolean isPartOfNumber(char c) {
    return isDigit(c) || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
