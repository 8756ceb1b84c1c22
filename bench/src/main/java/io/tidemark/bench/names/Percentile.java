// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import java.util.Arrays;

/** What so many of a hundred values don't exceed. */
final class Percentile {

  private Percentile() {}

  static long of(long[] values, int percent) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) ((sorted.length - 1) * (long) percent / 100)];
  }
}
