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

  /** Returns the cursor last read or written here. */
  synchronized CursorStore.StoredCursor stored() {
    return storedCursor;
  }

  synchronized void recordStored(CursorStore.StoredCursor now, long nowNanos) {
    storedCursor = now;
    keptAt = nowNanos;
    changes = 0;
  }

  /** Records that another process has written the cursor. */
  synchronized void markStale() {
    stale = true;
  }

  /** Returns whether another process has written the cursor, so that a read has to come first. */
  synchronized boolean isStale() {
    return stale;
  }

  synchronized void reread(CursorStore.StoredCursor now) {
    storedCursor = now;
    stale = false;
  }

  /** Postpones the next write. */
  synchronized void postpone(long nowNanos) {
    keptAt = nowNanos;
  }

  /** Records that one more event is done. */
  synchronized void recordChange() {
    changes++;
  }

  /** Returns whether so much has changed that finding it out again would cost more than a write. */
  synchronized boolean isUrgent() {
    return changes >= MANY;
  }

  synchronized boolean isDue(long nowNanos) {
    return nowNanos - keptAt >= LONG.toNanos();
  }

  /** Records a claim of the handler, and the number of polls before it. */
  synchronized void recordUse(long nowNanos, long looks) {
    usedAt = nowNanos;
    looked = looks;
  }

  synchronized long lastUsedAt() {
    return usedAt;
  }

  /** Returns the number of polls before the last claim of the handler. */
  synchronized long pollsAtLastUse() {
    return looked;
  }
}
