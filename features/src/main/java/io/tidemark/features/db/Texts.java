// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

/** What PostgreSQL takes for a text. */
public final class Texts {

  private Texts() {}

  /**
   * Whether a text comes back as it is sent. NUL is refused by the server; half a character, which
   * UTF-8 can't express, becomes a question mark on the way, and so perhaps the id of another
   * feature.
   */
  public static boolean canBeSent(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0 || Character.isSurrogate(c)) {
        return c != 0 && allWhole(text, i);
      }
    }
    return true;
  }

  /** How many characters PostgreSQL counts in a text. Java counts those beyond 16 bits twice. */
  public static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static boolean allWhole(String text, int from) {
    return text.codePoints()
        .skip(text.codePointCount(0, from))
        .noneMatch(c -> c == 0 || Character.getType(c) == Character.SURROGATE);
  }
}
