// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import java.time.Instant;
import java.util.Optional;

/**
 * What a handler has before it, as far as this process knows from its last look.
 *
 * @param claimable how many events can be claimed now
 * @param waiting how many are claimed, here or elsewhere, or wait to be tried again
 * @param nextDue when the first of those can be claimed
 */
public record Backlog(long claimable, long waiting, Optional<Instant> nextDue) {

  /** Whether there is nothing to do, neither now nor later. */
  public boolean isEmpty() {
    return claimable == 0 && waiting == 0;
  }
}
