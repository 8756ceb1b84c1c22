// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.json;

/**
 * Payloads of other programs whose numbers may be a bare {@code NaN}, {@code Infinity} or {@code
 * -Infinity}, which isn't JSON. Such a number is read as null, as in the typed columns.
 */
public final class FiniteJson {

  private static final String NAN = "NaN";
  private static final String INFINITY = "Infinity";
  private static final String NEGATIVE = "-Infinity";
  private static final String NULL = "null";

  private FiniteJson() {}

  /** Returns the text with null in place of numbers that aren't finite. */
  public static String of(String json) {
    return json.contains(NAN) || json.contains(INFINITY) ? replaced(json) : json;
  }

  private static String replaced(String json) {
    StringBuilder out = new StringBuilder(json.length());
    int at = 0;
    while (at < json.length()) {
      int end = behindNumber(json, at);
      if (end > at) {
        out.append(NULL);
      } else {
        end = json.charAt(at) == '"' ? behindText(json, at + 1) : at + 1;
        out.append(json, at, end);
      }
      at = end;
    }
    return out.toString();
  }

  /** Returns the place behind a number that isn't finite, or the same place if none is there. */
  private static int behindNumber(String json, int at) {
    for (String number : new String[] {NAN, INFINITY, NEGATIVE}) {
      if (json.startsWith(number, at)) {
        return at + number.length();
      }
    }
    return at;
  }

  private static int behindText(String json, int from) {
    int at = from;
    while (at < json.length() && json.charAt(at) != '"') {
      at += json.charAt(at) == '\\' ? 2 : 1;
    }
    return Math.min(at + 1, json.length());
  }
}
