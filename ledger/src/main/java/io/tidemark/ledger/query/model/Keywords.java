// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

import java.util.Locale;
import java.util.Set;

/** Reserved words of conditions; a field with such a name is written in backquotes. */
public final class Keywords {

  private static final Set<String> WORDS =
      Set.of(
          "and",
          "or",
          "not",
          "in",
          "is",
          "any",
          "null",
          "true",
          "false",
          "startswith",
          "endswith",
          "contains");

  private Keywords() {}

  /** Returns whether a name is a reserved word, ignoring case. */
  public static boolean contains(String name) {
    return WORDS.contains(name.toLowerCase(Locale.ROOT));
  }
}
