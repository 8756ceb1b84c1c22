// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

/**
 * Prefetcher for a reader that goes back through the chain commit by commit: it has the commits
 * that come next read many at a time. It starts late and with few, since most readers look only at
 * the newest commits and are to pay for no more than they see.
 *
 * <p>For one thread.
 */
public final class ChainPrefetcher {

  private static final int FIRST = 16;
  private static final int MOST = 128;

  private final ManifestChain manifestChain;
  private final long lowest;
  private int steps;
  private int window = FIRST;
  private long readDownTo = Long.MAX_VALUE;

  /**
   * Creates the prefetcher of one walk.
   *
   * @param lowest the last commit that may be wanted
   */
  public ChainPrefetcher(ManifestChain manifestChain, long lowest) {
    this.manifestChain = manifestChain;
    this.lowest = Math.max(1, lowest);
  }

  /** Prefetches if that is due. To be called before each step. */
  public void beforeStep(Manifest from, long next) {
    if (next != from.commitId() - 1) {
      steps = 0;
      window = FIRST;
      readDownTo = Long.MAX_VALUE;
      return;
    }
    steps++;
    if (steps >= FIRST && next < readDownTo && next > lowest) {
      readDownTo = Math.max(lowest, next - window + 1);
      manifestChain.prefetch(from, readDownTo);
      window = Math.min(2 * window, MOST);
    }
  }
}
