// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

/** Escaping of text from data, so that it can't control the terminal. */
public final class TerminalEscaping {

  private TerminalEscaping() {}

  /** Escapes control characters as JSON does; newlines and tabs are kept. */
  public static String escape(String text) {
    if (text.codePoints().noneMatch(TerminalEscaping::isControl)) {
      return text;
    }
    StringBuilder plain = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              if (isControl(c)) {
                plain.append(String.format("\\u%04x", c));
              } else {
                plain.appendCodePoint(c);
              }
            });
    return plain.toString();
  }

  /** Escapes control characters and line breaks as JSON does. */
  public static String escapeLine(String text) {
    return escape(text).replace("\n", "\\n");
  }

  /**
   * Returns whether a terminal or a text viewer would interpret the character: control characters,
   * marks of text direction, and line separators.
   */
  private static boolean isControl(int c) {
    return (Character.isISOControl(c) && c != '\n' && c != '\t')
        || c == 0x061C // Arabic letter mark
        || (c >= 0x200E && c <= 0x200F) // marks of direction
        || (c >= 0x2028 && c <= 0x202E) // separators, embeddings and overrides
        || (c >= 0x2066 && c <= 0x2069) // isolates
        || c == 0xFEFF; // invisible
  }
}
