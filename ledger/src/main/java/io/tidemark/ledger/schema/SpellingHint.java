// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Hint at a known word that resembles a misspelt one. */
final class SpellingHint {

  private SpellingHint() {}

  /** Returns the word with the fewest letters changed, or empty if none is similar. */
  static Optional<String> nearest(String word, Collection<String> known) {
    String nearest = null;
    int least = Math.max(2, word.length() / 3) + 1;
    for (String other : known) {
      int distance = Math.abs(word.length() - other.length());
      if (distance < least) {
        distance = distance(word.toLowerCase(Locale.ROOT), other.toLowerCase(Locale.ROOT));
      }
      if (distance < least) {
        least = distance;
        nearest = other;
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** Returns the hint as the end of a sentence about an unknown word. */
  static String hint(String word, Collection<String> known) {
    String all = known.isEmpty() ? "there are none" : "known are " + String.join(", ", known);
    return nearest(word, known).map(near -> "did you mean " + near + "? ").orElse("")
        + Character.toUpperCase(all.charAt(0))
        + all.substring(1);
  }

  private static int distance(String one, String other) {
    int[] above = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int[] row = new int[other.length() + 1];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int change = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(Math.min(row[j - 1], above[j]) + 1, above[j - 1] + change);
      }
      above = row;
    }
    return above[other.length()];
  }
}
