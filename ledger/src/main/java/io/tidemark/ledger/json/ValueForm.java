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
    boolean quoted = false;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (quoted) {
        if (c == '\\') {
          i++;
        } else if (c == '"') {
          quoted = false;
        }
      } else if (c == '"') {
        quoted = true;
      } else if (c == '-' || isDigit(c)) {
        int end = endOfNumber(json, i);
        if (isOtherThanPlainWhole(json, i, end)) {
          out = out == null ? new StringBuilder(json.length()) : out;
          out.append(json, copied, i).append(normal(json.substring(i, end)));
          copied = end;
        }
        i = end - 1;
      }
    }
    return out == null ? json : out.append(json, copied, json.length()).toString();
  }

  private static int endOfNumber(String json, int start) {
    int end = start + 1;
    while (end < json.length() && isPartOfNumber(json.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isOtherThanPlainWhole(String json, int start, int end) {
    if (end - start > LONGEST_PLAIN) {
      return true;
    }
    for (int i = start + 1; i < end; i++) {
      if (!isDigit(json.charAt(i))) {
        return true;
      }
    }
    // "-0" is zero, and a minus alone is no number, which is said there.
    return json.startsWith("-0", start) || json.startsWith("-", end - 1);
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
