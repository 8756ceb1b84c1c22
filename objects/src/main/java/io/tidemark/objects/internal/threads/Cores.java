// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.threads;

/** Number of cores that work may use. */
final class Cores {

  /** Assumed maximum of the memory that one piece of work holds. */
  private static final long BYTES_EACH = 96 << 20;

  private static final int NUMBER = Runtime.getRuntime().availableProcessors();

  private Cores() {}

  /**
   * Returns how many pieces of work may be under way at once: fewer than cores where memory is
   * short.
   */
  static int number() {
    long fitting = Runtime.getRuntime().maxMemory() / BYTES_EACH - 1;
    return (int) Math.max(1, Math.min(NUMBER, fitting));
  }
}
