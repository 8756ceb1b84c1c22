// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.text;

/**
 * Token of a condition: a word or a sign.
 *
 * @param text the token's text: of a text without its quotes, of a keyword in lower case
 * @param at how many characters stand before it
 */
record FilterToken(TokenKind kind, String text, int at) {

  enum TokenKind {
    /** A name that isn't a keyword. */
    NAME,
    KEYWORD,
    TEXT,
    NUMBER,
    SIGN,
    END
  }

  boolean is(TokenKind other, String word) {
    return kind == other && text.equals(word);
  }

  /** Returns the token as messages show it. */
  @Override
  public String toString() {
    return kind == TokenKind.END
        ? "the end"
        : kind == TokenKind.TEXT ? "the text \"" + text + "\"" : "'" + text + "'";
  }
}
