// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

import java.util.regex.Pattern;

/** Quoting of words in a command line that is printed for people to run. */
public final class ShellWord {

  private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");

  private ShellWord() {}

  /** Returns the word as a shell reads it: in single quotes where that takes any. */
  public static String quoted(String word) {
    return SAFE.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
