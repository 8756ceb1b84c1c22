// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

/** Text that comes from data, and that a terminal is to show and not to obey. */
public final class TerminalEscaping {

  private TerminalEscaping() {}

  /** Characters that a terminal obeys, in the form that JSON has for them; lines stay lines. */
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

  /** The same on one line. */
  public static String escapeLine(String text) {
    return escape(text).replace("\n", "\\n");
  }

  /**
   * Whether a terminal, or a viewer of text, would obey the character: control characters, those
   * that change the direction of what follows, and those that end a line.
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
