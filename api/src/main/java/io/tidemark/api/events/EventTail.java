// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import java.time.Duration;
import java.util.Optional;

/**
 * Events of a namespace as they are published. An event that appears late, as clocks differ, is
 * told late. For use by one thread.
 */
public interface EventTail extends AutoCloseable {

  /**
   * Returns the next event, or empty if none came in time. The first call looks at least once,
   * however short the time.
   *
   * @throws io.tidemark.objects.TidemarkException if the events can't be read at the moment; the
   *     next call tries again and misses nothing
   */
  Optional<TailedEvent> next(Duration atMost) throws InterruptedException;

  @Override
  void close();
}
