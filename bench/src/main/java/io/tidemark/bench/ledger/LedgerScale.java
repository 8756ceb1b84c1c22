// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

/**
 * How much to do.
 *
 * @param warmUp commits each makes in memory before anything counts, until the compiler knows them
 * @param rounds how many rounds of a duel count
 * @param commits how many commits a round has for each
 * @param history how many commits are many to have made before
 * @param loaded how many rows the bulk load has
 * @param loads how many loads count
 */
record LedgerScale(int warmUp, int rounds, int commits, int history, int loaded, int loads) {

  /** How many commits are few to have made before. */
  static final int YOUNG = 10;

  static LedgerScale full() {
    return new LedgerScale(160, 3, 20, 1_000, 1_000_000, 5);
  }

  /** Shows that everything runs; the figures mean little. */
  static LedgerScale quick() {
    return new LedgerScale(20, 1, 3, 50, 100_000, 1);
  }
}
