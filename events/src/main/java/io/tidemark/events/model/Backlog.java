// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import java.time.Instant;
import java.util.Optional;

/**
 * Backlog of a handler, as of the last poll of this process.
 *
 * @param claimable number of events that can be claimed now
 * @param waiting number of events that are claimed, here or elsewhere, or wait for a retry
 * @param nextDue when the first of the waiting events can be claimed
 */
public record Backlog(long claimable, long waiting, Optional<Instant> nextDue) {

  /** Returns whether there is nothing to do, neither now nor later. */
  public boolean isEmpty() {
    return claimable == 0 && waiting == 0;
  }
}
