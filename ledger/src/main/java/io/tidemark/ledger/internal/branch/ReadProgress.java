// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import java.util.function.LongConsumer;

/** Counter of the rows that a comparison has read, of all its states; reports now and then. */
final class ReadProgress {

  private static final int EVERY = 1_000;

  private final LongConsumer told;
  private long rows;

  ReadProgress(LongConsumer told) {
    this.told = told;
  }

  void increment() {
    rows++;
    if (rows % EVERY == 0) {
      told.accept(rows);
    }
  }
}
