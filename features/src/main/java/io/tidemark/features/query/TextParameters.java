// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.Optional;

/** Helpers for texts as SQL parameters. */
final class TextParameters {

  private static final int LAST = 0x10FFFF;

  private TextParameters() {}

  /** Returns a list of texts. */
  static String array(List<String> texts) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    texts.forEach(list::add);
    return list.toString();
  }

  /**
   * Returns the first text after all texts with a prefix; empty when there is none. Texts are
   * ordered by their characters.
   */
  static Optional<String> successor(String prefix) {
    int end = prefix.length();
    while (end > 0 && prefix.codePointBefore(end) == LAST) {
      end -= 2;
    }
    if (end == 0) {
      return Optional.empty();
    }
    int last = prefix.codePointBefore(end);
    // The code points between these two are surrogates, not characters.
    int next = last == 0xD7FF ? 0xE000 : last + 1;
    return Optional.of(
        prefix.substring(0, end - Character.charCount(last)) + Character.toString(next));
  }
}
