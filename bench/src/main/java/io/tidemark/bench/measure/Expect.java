// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.measure;

/** Makes sure that what is measured was done. */
public final class Expect {

  private Expect() {}

  /** Fails unless the two are equal. */
  public static void equal(long expected, long found) {
    if (expected != found) {
      throw new IllegalStateException("expected " + expected + ", found " + found);
    }
  }
}
