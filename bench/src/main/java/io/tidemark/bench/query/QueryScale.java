// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

/**
 * How much to do.
 *
 * @param small many small commits
 * @param large few large ones
 * @param sql few commits that statements in SQL are asked about
 * @param rounds how many rounds of a duel count
 */
record QueryScale(QueryDataset small, QueryDataset large, QueryDataset sql, int rounds) {

  private static final int ALL = Integer.MAX_VALUE;
  private static final int SOME = 1_000;
  private static final int BULK = 2_500_000;

  static QueryScale full() {
    return new QueryScale(
        new QueryDataset(25_000, 1_000, 50, ALL),
        new QueryDataset(4L * BULK, 4, BULK, SOME),
        new QueryDataset(300_000, 4, 75_000, ALL),
        9);
  }

  /** Shows that everything runs; the figures mean little. */
  static QueryScale quick() {
    return new QueryScale(
        new QueryDataset(1_000, 40, 50, ALL),
        new QueryDataset(100_000, 4, 25_000, SOME),
        new QueryDataset(10_000, 4, 2_500, ALL),
        1);
  }
}
