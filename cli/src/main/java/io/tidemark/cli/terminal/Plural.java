// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

/** Numbers of things, for people. */
public final class Plural {

  private Plural() {}

  /** Returns {@code 1 row} or {@code 2 rows}; the thing is one whose plural ends with an s. */
  public static String of(long number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }
}
