// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import java.time.Duration;
import java.util.Optional;

/** Transactions of a storage as they get their sequence numbers. For one thread. */
public interface FeatureTail extends AutoCloseable {

  /**
   * Returns the next transaction, or empty if none came in time. The first call looks at least
   * once, however short the time.
   *
   * @throws io.tidemark.objects.TidemarkException if the log can't be read at the moment, in which
   *     case the next call misses nothing; or with the code log-gone
   */
  Optional<FeatureTransaction> next(Duration atMost);

  /** Ends the tail. Any thread may close it; a call that waits returns soon. */
  @Override
  void close();
}
