// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

import java.util.Locale;
import java.util.Set;

/** The words of which conditions are made; a field named like one is written in backquotes. */
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

  /** Whether a name is such a word, in whatever case. */
  public static boolean contains(String name) {
    return WORDS.contains(name.toLowerCase(Locale.ROOT));
  }
}
