// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

/** Text that comes from data, and that a terminal is to show and not to obey. */
public final class Plain {

  private Plain() {}

  /** Control characters in the form that JSON has for them; lines stay lines. */
  public static String text(String text) {
    if (text.codePoints().noneMatch(Plain::isCommand)) {
      return text;
    }
    StringBuilder plain = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              if (isCommand(c)) {
                plain.append(String.format("\\u%04x", c));
              } else {
                plain.appendCodePoint(c);
              }
            });
    return plain.toString();
  }

  /** The same on one line. */
  public static String line(String text) {
    return text(text).replace("\n", "\\n");
  }

  private static boolean isCommand(int c) {
    return Character.isISOControl(c) && c != '\n' && c != '\t';
  }
}
