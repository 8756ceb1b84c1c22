// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggestions for misspelt words. */
final class Spelling {

  private Spelling() {}

  /**
   * Returns the known word with the smallest edit distance; empty when the distance is more than a
   * third of the letters, rounded up, because such a guess is rarely right.
   */
  static Optional<String> nearest(String word, Collection<String> known) {
    return known.stream()
        .filter(k -> editDistance(word, k) <= (k.length() + 2) / 3)
        .min(Comparator.comparingInt((String k) -> editDistance(word, k)).thenComparing(k -> k));
  }

  /**
   * Returns the number of letters that were left out, added, replaced, or swapped with their
   * neighbour (the optimal string alignment distance).
   */
  static int editDistance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int mistaken = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        d[i][j] = Math.min(d[i - 1][j - 1] + mistaken, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
