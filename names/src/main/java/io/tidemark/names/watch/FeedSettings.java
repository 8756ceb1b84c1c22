// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.watch;

import java.time.Duration;

/**
 * Intervals at which a feed looks at the store.
 *
 * @param interval once in this time, with one request
 * @param surveyEvery each time it has looked at the marker so often, less one, it surveys a page of
 *     the records instead, to find what a process that died, or another program, left no word of
 */
public record FeedSettings(Duration interval, int surveyEvery) {

  public FeedSettings {
    if (interval.isNegative() || interval.isZero()) {
      throw new IllegalArgumentException("the interval must be longer than nothing: " + interval);
    }
    if (surveyEvery < 2) {
      throw new IllegalArgumentException(
          "between two surveys the marker must be read at least once: " + surveyEvery);
    }
  }

  /** Once a second; each tenth time a page of the survey. */
  public static FeedSettings standard() {
    return new FeedSettings(Duration.ofSeconds(1), 10);
  }
}
