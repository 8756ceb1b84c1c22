// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

/** Values as messages show them: no more than fits on a line, and nothing that ends one. */
final class ValuePreview {

  private static final int LENGTH = 60;

  private ValuePreview() {}

  /** The text, or its beginning and how long it is. */
  static String preview(String text) {
    if (text.length() <= LENGTH) {
      return escapeControls(text);
    }
    // Not in the midst of a pair, which would print as a question mark.
    int end = Character.isHighSurrogate(text.charAt(LENGTH - 1)) ? LENGTH - 1 : LENGTH;
    return escapeControls(text.substring(0, end)) + "… (" + text.length() + " characters)";
  }

  /** Control characters in the form that JSON has for them. */
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

  /** Also what else editors and browsers take for the end of a line. */
  private static boolean isControl(int c) {
    return Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
  }
}
