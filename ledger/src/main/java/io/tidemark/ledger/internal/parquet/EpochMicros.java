// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.OptionalLong;

/**
 * Parser of moments as microseconds since 1970. Reads exactly the form that instants are stored in,
 * {@code 2026-02-10T12:34:56.789012+00:00} with or without its fraction, a digit at a time, since
 * it is done for every row.
 */
final class EpochMicros {

  private static final String PATTERN = "dddd-dd-ddTdd:dd:dd";
  private static final String FRACTION = ".dddddd";
  private static final String OFFSET = "+00:00";

  private EpochMicros() {}

  /** Returns the moment; empty when the text has another form. */
  static OptionalLong of(String text) {
    int seconds = PATTERN.length();
    boolean fraction = text.length() == seconds + FRACTION.length() + OFFSET.length();
    boolean formed =
        (fraction || text.length() == seconds + OFFSET.length())
            && matches(text, 0, PATTERN)
            && (!fraction || matches(text, seconds, FRACTION))
            && text.endsWith(OFFSET);
    if (!formed) {
      return OptionalLong.empty();
    }
    int hour = number(text, 11, 13);
    int minute = number(text, 14, 16);
    int second = number(text, 17, 19);
    if (hour > 23 || minute > 59 || second > 59) {
      return OptionalLong.empty();
    }
    try {
      LocalDate day = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10));
      long total = day.toEpochDay() * 86_400 + hour * 3_600L + minute * 60L + second;
      return OptionalLong.of(total * 1_000_000 + (fraction ? number(text, 20, 26) : 0));
    } catch (DateTimeException e) { // 30 February
      return OptionalLong.empty();
    }
  }

  private static boolean matches(String text, int start, String pattern) {
    for (int i = 0; i < pattern.length(); i++) {
      char c = text.charAt(start + i);
      boolean digit = c >= '0' && c <= '9';
      if (pattern.charAt(i) == 'd' ? !digit : c != pattern.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static int number(String text, int start, int end) {
    int value = 0;
    for (int i = start; i < end; i++) {
      value = value * 10 + text.charAt(i) - '0';
    }
    return value;
  }
}
