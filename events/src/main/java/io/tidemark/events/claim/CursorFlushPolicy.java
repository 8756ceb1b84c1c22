// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import java.time.Duration;

/** Policy that decides when to write the cursor of a handler. */
final class CursorFlushPolicy {

  private static final int MANY = 500;
  private static final Duration LONG = Duration.ofSeconds(30);

  private CursorStore.StoredCursor storedCursor;
  private long keptAt;
  private boolean stale;
  private int changes;
  private long usedAt;
  private long looked = -1;

  CursorFlushPolicy(CursorStore.StoredCursor storedCursor, long nowNanos) {
    this.storedCursor = storedCursor;
    this.keptAt = nowNanos;
    this.usedAt = nowNanos;
  }

  /** What was last written, by anybody. */
  synchronized CursorStore.StoredCursor stored() {
    return storedCursor;
  }

  synchronized void recordStored(CursorStore.StoredCursor now, long nowNanos) {
    storedCursor = now;
    keptAt = nowNanos;
    changes = 0;
  }

  /** Somebody else has written it. */
  synchronized void markStale() {
    stale = true;
  }

  /** Whether somebody else has written it, and it has to be read before it can be written. */
  synchronized boolean isStale() {
    return stale;
  }

  synchronized void reread(CursorStore.StoredCursor now) {
    storedCursor = now;
    stale = false;
  }

  /** Nothing is to be done for a while. */
  synchronized void postpone(long nowNanos) {
    keptAt = nowNanos;
  }

  /** One more event is done. */
  synchronized void recordChange() {
    changes++;
  }

  /** So much is new that finding it out again would cost more than to write it down. */
  synchronized boolean isUrgent() {
    return changes >= MANY;
  }

  synchronized boolean isDue(long nowNanos) {
    return nowNanos - keptAt >= LONG.toNanos();
  }

  /** The handler has claimed, with what was known after so many looks. */
  synchronized void recordUse(long nowNanos, long looks) {
    usedAt = nowNanos;
    looked = looks;
  }

  synchronized long lastUsedAt() {
    return usedAt;
  }

  /** After how many looks the handler last claimed. */
  synchronized long pollsAtLastUse() {
    return looked;
  }
}
