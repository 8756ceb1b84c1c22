// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.text;

/**
 * A word or a sign of a condition.
 *
 * @param text what it says: of a text without its quotes, of a keyword in lower case
 * @param at how many characters stand before it
 */
record Token(Kind kind, String text, int at) {

  enum Kind {
    /** A name that isn't a keyword. */
    NAME,
    KEYWORD,
    TEXT,
    NUMBER,
    SIGN,
    END
  }

  boolean is(Kind other, String word) {
    return kind == other && text.equals(word);
  }

  /** For messages. */
  @Override
  public String toString() {
    return kind == Kind.END
        ? "the end"
        : kind == Kind.TEXT ? "the text \"" + text + "\"" : "'" + text + "'";
  }
}
