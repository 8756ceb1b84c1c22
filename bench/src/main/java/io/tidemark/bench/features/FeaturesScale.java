// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import java.util.List;

/**
 * How much to do.
 *
 * @param batches what is written in a round
 * @param rounds how many rounds count
 * @param features how many are read among
 * @param days how many days of history there are
 * @param questions how often each is asked
 * @param loaded how many are in a file that is loaded
 * @param loadedCold how many are in a file that processes of the command load
 */
record FeaturesScale(
    List<Batches> batches,
    int rounds,
    int features,
    int days,
    int questions,
    int loaded,
    int loadedCold) {

  /**
   * Batches of one size.
   *
   * @param size features in each
   * @param count how many a round
   */
  record Batches(int size, int count) {}

  /** How many features each side writes. */
  int written() {
    return batches.stream().mapToInt(b -> b.size() * b.count()).sum() * (rounds + 1);
  }

  static FeaturesScale full() {
    List<Batches> batches =
        List.of(new Batches(1, 80), new Batches(100, 10), new Batches(1_000, 4));
    return new FeaturesScale(batches, 15, 1_000_000, 365, 200, 1_000_000, 135_233);
  }

  /** Shows that everything runs; the figures mean little. */
  static FeaturesScale quick() {
    return new FeaturesScale(
        List.of(new Batches(1, 3), new Batches(20, 2)), 1, 2_000, 5, 3, 1_000, 1_000);
  }
}
