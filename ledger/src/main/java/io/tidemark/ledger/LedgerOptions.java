// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.commit.Publisher;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.query.QuerySettings;
import io.tidemark.ledger.schema.ValueCheck;

/**
 * How a ledger is used.
 *
 * @param writer how it is written to
 * @param namespace goes into the metadata of every commit of a session
 * @param maxBatchSize how many assertions one commit takes
 * @param maxRowBytes how long the payload of a row may be, as canonical JSON
 * @param publisher is told of every commit, after the fact
 * @param queries how questions are answered
 */
public record LedgerOptions(
    WriterSettings writer,
    String namespace,
    int maxBatchSize,
    int maxRowBytes,
    Publisher publisher,
    QuerySettings queries) {

  public static LedgerOptions standard() {
    return new LedgerOptions(
        WriterSettings.standard(),
        "default",
        10_000,
        ValueCheck.MAX_ROW_BYTES,
        Publisher.none(),
        QuerySettings.standard());
  }

  public LedgerOptions withWriter(WriterSettings other) {
    return new LedgerOptions(other, namespace, maxBatchSize, maxRowBytes, publisher, queries);
  }

  public LedgerOptions withNamespace(String other) {
    return new LedgerOptions(writer, other, maxBatchSize, maxRowBytes, publisher, queries);
  }

  public LedgerOptions withMaxBatchSize(int other) {
    return new LedgerOptions(writer, namespace, other, maxRowBytes, publisher, queries);
  }

  public LedgerOptions withMaxRowBytes(int other) {
    return new LedgerOptions(writer, namespace, maxBatchSize, other, publisher, queries);
  }

  public LedgerOptions withPublisher(Publisher other) {
    return new LedgerOptions(writer, namespace, maxBatchSize, maxRowBytes, other, queries);
  }

  public LedgerOptions withQueries(QuerySettings other) {
    return new LedgerOptions(writer, namespace, maxBatchSize, maxRowBytes, publisher, other);
  }
}
