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
 * Writer of a new tombstone in the place of a branch's head, which fences off late writers that
 * have read the object before it.
 */
record TombstoneWriter(LedgerObjects target, WriterSettings settings) {

  /** Returns whether the tombstone has replaced the object that was read and is unchanged since. */
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
      return false; // the caller checks again, which is harmless if the write took place
    }
  }
}
