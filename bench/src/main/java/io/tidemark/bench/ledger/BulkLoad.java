// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import io.tidemark.bench.Duel;
import io.tidemark.bench.Report;
import io.tidemark.bench.Report.Goal;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Very many rows in one commit, beside the same rows and columns as a bare file of DuckDB's. */
final class BulkLoad {

  private final Path place;
  private final LedgerScale scale;
  private final Report report;
  private final AtomicInteger stores = new AtomicInteger();

  BulkLoad(Path place, LedgerScale scale, Report report) {
    this.place = place;
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    List<Customer> rows = Customer.batch(0, scale.loaded(), 0);
    try (DuckDbCopy peer = new DuckDbCopy(place)) {
      long start = System.nanoTime();
      peer.fill(rows);
      double filled = (System.nanoTime() - start) / 1e9;
      report.section("%,d rows in one commit".formatted(rows.size()), "DuckDB");
      Duel duel = new Duel(scale.loads(), rows.size());
      report.rated(
          "directory, page cache",
          duel.fight(n -> load(rows, Durability.PAGE_CACHE), n -> peer.copy()),
          Optional.of(Goal.atLeast(0.5)));
      report.rated(
          "directory, sync",
          duel.fight(n -> load(rows, Durability.SYNC), n -> peer.copy()),
          Optional.empty());
      report.remark(
          String.format(
              Locale.ROOT,
              "DuckDB's rows were in a table of its own before, which took %.1f s more; its file"
                  + " isn't synced",
              filled));
    }
  }

  private void load(List<Customer> rows, Durability durability) {
    Path home = place.resolve("bulk-" + stores.incrementAndGet());
    try (ObjectStore store =
            new ObjectStore(DirectoryBackend.open(home, durability), Retry.standard());
        LedgerAppender ledger = new LedgerAppender(store)) {
      ledger.commit(rows);
      ledger.settle();
    }
  }
}
