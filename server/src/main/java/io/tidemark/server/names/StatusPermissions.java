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
 * Permissions for changes of a status: changes of locks need the right to lock, all others the
 * right to write. A caller that acquires or releases a lock may also set the record's current task
 * and its progress.
 */
final class StatusPermissions {

  private StatusPermissions() {}

  /** Requires the rights that the change of a status needs. */
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
   * Requires the right to lock if a write to a record changes its locks.
   *
   * @param before the record before the write; empty for a new one
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

  /**
   * Returns the locks after a write that changes none. Retracting or restoring a record ends all
   * locks.
   */
  private static Payload withoutLockChanges(NameRecord seen, NameRecord next) {
    return seen.meta().retracted() == next.meta().retracted()
        ? SoftLocks.locksIn(seen.status())
        : SoftLocks.epochsIn(seen.status());
  }
}
