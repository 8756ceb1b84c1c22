// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.ledger.commit.CommitPublisher;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.query.QuerySettings;
import io.tidemark.ledger.schema.ValueCheck;
import io.tidemark.ledger.store.Outbox;

/**
 * Options for the use of a ledger.
 *
 * @param writer settings of its writer
 * @param namespace namespace in the metadata of every commit of a session
 * @param maxBatchSize maximum number of assertions of one commit
 * @param maxRowBytes maximum length of the payload of a row, as canonical JSON
 * @param maxOutboxBytes maximum size of the outbox of one commit; see {@link Outbox}
 * @param publisher receives every commit, after the fact
 * @param queries settings of its queries
 */
@RecordBuilder
public record LedgerOptions(
    WriterSettings writer,
    String namespace,
    int maxBatchSize,
    int maxRowBytes,
    int maxOutboxBytes,
    CommitPublisher publisher,
    QuerySettings queries)
    implements LedgerOptionsBuilder.With {

  private static final int MAX_OUTBOX_BYTES = 1 << 20;

  public static LedgerOptions standard() {
    return new LedgerOptions(
        WriterSettings.standard(),
        "default",
        10_000,
        ValueCheck.MAX_ROW_BYTES,
        MAX_OUTBOX_BYTES,
        CommitPublisher.none(),
        QuerySettings.standard());
  }
}
