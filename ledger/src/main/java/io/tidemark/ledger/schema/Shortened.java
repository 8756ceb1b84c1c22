// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

/** Values as messages show them: no more than fits on a line. */
final class Shortened {

  private static final int LENGTH = 60;

  private Shortened() {}

  /** The text, or its beginning and how long it is. */
  static String of(String text) {
    if (text.length() <= LENGTH) {
      return text;
    }
    // Not in the midst of a pair, which would print as a question mark.
    int end = Character.isHighSurrogate(text.charAt(LENGTH - 1)) ? LENGTH - 1 : LENGTH;
    return text.substring(0, end) + "… (" + text.length() + " characters)";
  }
}
