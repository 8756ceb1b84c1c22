// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import java.util.List;

/** One who writes, on a connection of its own. */
interface FeatureWriter extends AutoCloseable {

  /**
   * Makes a batch ready to be sent, which isn't measured; running it does it in one transaction.
   */
  PreparedBatch batch(WriteKind writeKind, List<SampleFeature> samples) throws Exception;

  /** The server's process for this connection. */
  long pid() throws Exception;

  /** Something to be measured. */
  @FunctionalInterface
  interface PreparedBatch {
    void run() throws Exception;
  }
}
