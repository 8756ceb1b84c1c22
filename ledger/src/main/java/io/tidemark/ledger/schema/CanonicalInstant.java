// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import java.time.Month;
import java.time.Year;

/**
 * Detector of moments that are in canonical form already, so that an import needn't parse and
 * format them, which costs more than all the rest of a row.
 */
final class CanonicalInstant {

  private static final String SECONDS = "0000-00-00T00:00:00";
  private static final String MICROS = ".000000";
  private static final String UTC = "+00:00";

  private CanonicalInstant() {}

  /**
   * Returns whether the text is {@code 2026-02-10T12:34:56+00:00}, or with micros that aren't all
   * zero.
   */
  static boolean isCanonical(String text) {
    if (!text.endsWith(UTC) || !isLike(text, 0, SECONDS)) {
      return false;
    }
    int rest = text.length() - SECONDS.length() - UTC.length();
    boolean micros =
        rest == MICROS.length()
            && isLike(text, SECONDS.length(), MICROS)
            && !text.startsWith(MICROS, SECONDS.length());
    return (rest == 0 || micros) && isDay(text) && isTime(text);
  }

  private static boolean isDay(String text) {
    int year = number(text, 0, 4);
    int month = number(text, 5, 2);
    int day = number(text, 8, 2);
    return year > 0
        && month >= 1
        && month <= 12
        && day >= 1
        && (day <= 28 || day <= Month.of(month).length(Year.isLeap(year)));
  }

  private static boolean isTime(String text) {
    return number(text, 11, 2) < 24 && number(text, 14, 2) < 60 && number(text, 17, 2) < 60;
  }

  /** Returns whether the text has a digit wherever the form has a zero, and else its characters. */
  private static boolean isLike(String text, int start, String form) {
    if (text.length() < start + form.length()) {
      return false;
    }
    for (int i = 0; i < form.length(); i++) {
      char c = text.charAt(start + i);
      boolean digit = c >= '0' && c <= '9';
      if (form.charAt(i) == '0' ? !digit : c != form.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static int number(String text, int start, int length) {
    int number = 0;
    for (int i = start; i < start + length; i++) {
      number = number * 10 + text.charAt(i) - '0';
    }
    return number;
  }
}
