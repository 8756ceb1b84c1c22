// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

/** Form in which items are written. Every form is read, whichever is written. */
public enum Dialect {
  /** Payloads are maps, kept whole. */
  STANDARD("standard"),

  /** Each pointer is a scalar, as Fluree reads and writes them; see {@link FlureeScalars}. */
  FLUREE("fluree");

  private final String word;

  Dialect(String word) {
    this.word = word;
  }

  /** Returns the name of this dialect in a location. */
  public String text() {
    return word;
  }
}
