// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

/** Check of texts that Parquet stores in UTF-8. */
final class Utf8 {

  private Utf8() {}

  /**
   * Returns whether the text comes back as it was. It doesn't if it has half of a surrogate pair,
   * which would be stored as a question mark like any other half.
   */
  static boolean canHold(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (Character.charCount(text.codePointAt(i)) == 1) {
          return false;
        }
        i++;
      }
    }
    return true;
  }
}
