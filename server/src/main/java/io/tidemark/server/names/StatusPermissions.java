// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import io.tidemark.names.Address;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.Payload;
import io.tidemark.names.SoftLocks;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Caller;
import io.tidemark.server.access.ResourceType;
import java.util.Optional;

/**
 * Who may change a status, by what is changed of it: locks are for those who may lock, and all else
 * for those who may write. Whoever takes a lock or gives it back also says what the record is busy
 * with, and how far that is.
 */
final class StatusPermissions {

  private StatusPermissions() {}

  /** Ends a request of somebody who may not move a status from the one to the other. */
  static void require(Caller caller, Address address, ConcernValue before, ConcernValue next) {
    boolean locks = !SoftLocks.locksIn(before).equals(SoftLocks.locksIn(next));
    boolean more = !SoftLocks.withoutLockFields(before).equals(SoftLocks.withoutLockFields(next));
    if (locks) {
      caller.require(Action.LOCK, ResourceType.NAMES, address.toString());
    }
    if (more || !locks) {
      caller.require(Action.WRITE, ResourceType.NAMES, address.toString());
    }
  }

  /**
   * Ends a request of somebody who may write a record, but not change the locks in it.
   *
   * @param before empty for a new one
   */
  static void requireLocks(Caller caller, Optional<NameRecord> before, NameRecord next) {
    Payload kept =
        before
            .map(seen -> withoutLockChanges(seen, next))
            .orElse(SoftLocks.locksIn(ConcernValue.UNBORN));
    if (!SoftLocks.locksIn(next.status()).equals(kept)) {
      caller.require(Action.LOCK, ResourceType.NAMES, next.address().toString());
    }
  }

  /** A retraction ends all locks. */
  private static Payload withoutLockChanges(NameRecord seen, NameRecord next) {
    return seen.meta().retracted() == next.meta().retracted()
        ? SoftLocks.locksIn(seen.status())
        : SoftLocks.epochsIn(seen.status());
  }
}
