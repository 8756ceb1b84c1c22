// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.features.model.InvalidRequestException;
import java.time.Duration;

/**
 * Options of a feed.
 *
 * @param poll how often to poll when no notification comes
 * @param batch how many transactions are fetched at once
 */
public record FeedOptions(Duration poll, int batch) {

  private static final FeedOptions DEFAULTS = new FeedOptions(Duration.ofSeconds(1), 256);

  public FeedOptions {
    if (poll.toMillis() < 1 || batch < 1) {
      throw new InvalidRequestException(
          "a feed can't look every %s for %d; give at least a millisecond and one"
              .formatted(poll, batch));
    }
  }

  /** Returns the defaults: polls every second, and fetches 256 transactions at once. */
  public static FeedOptions defaults() {
    return DEFAULTS;
  }
}
