// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.config;

import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.Retry;
import java.time.Duration;

/**
 * Retry settings of a document. A document counts attempts; here a time is what limits them, so
 * with a count the time is such that it doesn't cut it short.
 */
final class Retries {

  private static final Duration BUDGET = Duration.ofSeconds(15);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
  private static final Duration REQUEST = Duration.ofSeconds(10);

  /** As good as for ever, and still a number of nanoseconds. */
  private static final Duration LONGEST_BUDGET = Duration.ofDays(3650);

  private Retries() {}

  static Retry of(StorageNode.Requests requests) {
    Duration first = requests.firstPause().orElse(FIRST_PAUSE);
    Duration longest = requests.longestPause().orElse(LONGEST_PAUSE);
    Duration capped = first.compareTo(longest) < 0 ? first : longest;
    if (requests.retries().isEmpty()) {
      return new Retry(BUDGET, capped, longest, MonotonicTime.system());
    }
    int times = requests.retries().getAsInt();
    Duration budget = requests.timeout().orElse(REQUEST).plus(longest).multipliedBy(times + 1L);
    Duration possible = budget.compareTo(LONGEST_BUDGET) < 0 ? budget : LONGEST_BUDGET;
    return new Retry(possible, capped, longest, MonotonicTime.system()).atMost(times);
  }
}
