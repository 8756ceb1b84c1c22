// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

/** Plurals of nouns after a number. */
public final class Plural {

  private Plural() {}

  /** Returns {@code 1 row} or {@code 2 rows}; the plural of the noun has to end with an s. */
  public static String of(long number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }
}
