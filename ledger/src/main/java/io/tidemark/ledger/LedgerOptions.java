// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.ledger.commit.CommitPublisher;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.query.QuerySettings;
import io.tidemark.ledger.schema.ValueCheck;
import io.tidemark.ledger.store.Outbox;

/**
 * How a ledger is used.
 *
 * @param writer how it is written to
 * @param namespace goes into the metadata of every commit of a session
 * @param maxBatchSize how many assertions one commit takes
 * @param maxRowBytes how long the payload of a row may be, as canonical JSON
 * @param maxOutboxBytes how much one commit carries for others; see {@link Outbox}
 * @param publisher is told of every commit, after the fact
 * @param queries how questions are answered
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
