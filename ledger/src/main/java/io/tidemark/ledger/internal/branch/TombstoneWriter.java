// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.LedgerObjects.Document;
import io.tidemark.objects.Condition;
import io.tidemark.objects.OutcomeUnknownException;
import java.util.Optional;
import java.util.UUID;

/**
 * A new tombstone in the place of a branch's head, which keeps out whoever has read what was there
 * before and comes late with a head of its own.
 */
record TombstoneWriter(LedgerObjects target, WriterSettings settings) {

  /** Whether it is there now, in the place of what was read and wasn't changed since. */
  boolean replace(Optional<Document> there) {
    Condition unchanged = Condition.unchanged(there.map(Document::etag));
    try {
      return target
          .write(
              LedgerLayout.HEAD,
              Head.tombstone(
                  target.store().clock().instant(),
                  settings.runtimeId(),
                  UUID.randomUUID().toString()),
              unchanged)
          .written();
    } catch (OutcomeUnknownException e) {
      return false; // looked at again, which is harmless if it has taken place
    }
  }
}
