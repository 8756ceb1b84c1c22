// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import io.tidemark.bench.ledger.IcebergAppender;
import io.tidemark.bench.ledger.LedgerAppender;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.internal.compact.CompactionListener;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.query.QuerySettings;
import io.tidemark.ledger.query.QuerySettings.Isolation;
import io.tidemark.ledger.query.QuerySettings.Replication;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import java.nio.file.Path;

/** A ledger in a directory, who writes to it, and who asks it. */
final class QueryFixture implements AutoCloseable {

  private final Path place;
  private final QueryDataset queryDataset;
  private final ObjectStore store;
  private final LedgerAppender writer;

  QueryFixture(Path place, QueryDataset queryDataset) {
    this.place = place;
    this.queryDataset = queryDataset;
    this.store =
        new ObjectStore(
            DirectoryBackend.open(place.resolve("store"), Durability.PAGE_CACHE), Retry.standard());
    this.writer = new LedgerAppender(store);
    for (int commit = 0; commit < queryDataset.commits(); commit++) {
      writer.commit(queryDataset.batch(commit));
    }
    writer.settle();
  }

  LedgerAppender writer() {
    return writer;
  }

  /** The ledger as another process opens it. */
  Ledger open(Replication replication, String memoryLimit) {
    return open(place.resolve("cache"), replication, memoryLimit);
  }

  /** The ledger with its files read each time, as somebody opens it who has another cache. */
  Ledger openAt(Path cache) {
    return open(cache, Replication.NONE, "1GB");
  }

  /** The ledger with its files read each time, whose SQL runs in a place. */
  Ledger openForSql(Isolation isolation) {
    QuerySettings queries =
        QuerySettings.standard()
            .withCache(place.resolve("cache"))
            .withReplica(Replication.NONE)
            .withIsolation(isolation);
    return Ledger.open(store, "ledger/", LedgerOptions.standard().withQueries(queries));
  }

  private Ledger open(Path cache, Replication replication, String memoryLimit) {
    QuerySettings queries =
        QuerySettings.standard()
            .withCache(cache)
            .withReplica(replication)
            .withMemoryLimit(memoryLimit);
    return Ledger.open(store, "ledger/", LedgerOptions.standard().withQueries(queries));
  }

  /** Puts all commits into one file. */
  void compact() {
    try (Ledger ledger = Ledger.open(store, "ledger/", LedgerOptions.standard())) {
      ledger
          .compaction()
          .run(ledger.compaction().plan(CompactionScope.ALL), CompactionListener.none());
    }
  }

  /** The same rows in a table of Iceberg's, in the same store. */
  IcebergAppender iceberg() {
    IcebergAppender table = new IcebergAppender(store);
    for (int commit = 0; commit < queryDataset.commits(); commit++) {
      table.commit(queryDataset.batch(commit));
    }
    return table;
  }

  @Override
  public void close() {
    writer.close();
    store.close();
  }
}
