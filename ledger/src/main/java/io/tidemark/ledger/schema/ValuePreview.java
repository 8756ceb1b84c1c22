// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

/** Formatter of values in messages: at most one line, without characters that end one. */
final class ValuePreview {

  private static final int LENGTH = 60;

  private ValuePreview() {}

  /** Returns the text, or its beginning and its length. */
  static String preview(String text) {
    if (text.length() <= LENGTH) {
      return escapeControls(text);
    }
    // Never between a surrogate pair, which would print as a question mark.
    int end = Character.isHighSurrogate(text.charAt(LENGTH - 1)) ? LENGTH - 1 : LENGTH;
    return escapeControls(text.substring(0, end)) + "… (" + text.length() + " characters)";
  }

  /** Returns the text with control characters in the escaped form of JSON. */
  static String escapeControls(String text) {
    if (text.chars().noneMatch(ValuePreview::isControl)) {
      return text;
    }
    StringBuilder plain = new StringBuilder(text.length() + 16);
    text.chars()
        .forEach(
            c -> {
              switch (c) {
                case '\n' -> plain.append("\\n");
                case '\r' -> plain.append("\\r");
                case '\t' -> plain.append("\\t");
                default ->
                    plain.append(
                        isControl(c) ? String.format("\\u%04x", c) : String.valueOf((char) c));
              }
            });
    return plain.toString();
  }

  /** Includes other characters that editors and browsers take for the end of a line. */
  private static boolean isControl(int c) {
    return Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
  }
}
