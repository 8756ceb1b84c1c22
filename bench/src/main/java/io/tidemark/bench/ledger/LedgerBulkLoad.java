// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.ledger.schema.Fact;
import io.tidemark.ledger.schema.JsonFactCodec;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.Row;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Very many rows in one commit, beside the same rows and columns as a bare file of DuckDB's. */
final class LedgerBulkLoad {

  private static final Optional<Goal> HALF = Optional.of(Goal.atLeast(0.5));

  private final Path place;
  private final LedgerScale scale;
  private final Report report;
  private final AtomicInteger stores = new AtomicInteger();

  LedgerBulkLoad(Path place, LedgerScale scale, Report report) {
    this.place = place;
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    List<Customer> rows = Customer.batch(0, scale.loaded(), 0);
    Path file = Files.createDirectories(place).resolve("Customer.jsonl");
    write(rows, file);
    PairedBenchmark pairedBenchmark = new PairedBenchmark(scale.loads(), rows.size());
    report.section("%,d rows in one commit".formatted(rows.size()), "DuckDB");
    try (DuckDbCopy peer = new DuckDbCopy(place)) {
      peer.fill(rows);
      peer.prepare();
      warmUp(pairedBenchmark, rows, file, peer);
      report.compareRates(
          "rows in memory; a table of DuckDB's",
          pairedBenchmark.run(n -> load(rows, Durability.PAGE_CACHE), n -> peer.copyTable()),
          HALF);
      report.compareRates(
          "rows in memory, both",
          pairedBenchmark.run(
              n -> load(rows, Durability.PAGE_CACHE), n -> peer.appendAndCopy(rows)),
          HALF);
      report.compareRates(
          "rows in a file of JSON lines, both",
          pairedBenchmark.run(n -> importFile(file, rows.size()), n -> peer.copyLines(file)),
          HALF);
      report.compareRates(
          "the first with sync, which DuckDB doesn't",
          pairedBenchmark.run(n -> load(rows, Durability.SYNC), n -> peer.copyTable()),
          Optional.empty());
    }
    Files.delete(file);
  }

  /** As many rounds of each as count later, so that the first line isn't that of the compiler. */
  private void warmUp(
      PairedBenchmark pairedBenchmark, List<Customer> rows, Path file, DuckDbCopy peer)
      throws Exception {
    pairedBenchmark.run(n -> load(rows, Durability.PAGE_CACHE), n -> peer.copyTable());
    pairedBenchmark.run(n -> importFile(file, rows.size()), n -> peer.copyLines(file));
  }

  /** As an export writes them. */
  private static void write(List<Customer> rows, Path file) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (Customer row : rows) {
        Fact fact = RecordType.factOf(row);
        out.write(
            JsonFactCodec.write(fact.type(), new Row(1, fact.identity(), 1, fact.fieldsJson())));
        out.write('\n');
      }
    }
  }

  private void load(List<Customer> rows, Durability durability) {
    withLedger(
        durability,
        ledger -> {
          ledger.commit(rows);
          ledger.settle();
        });
  }

  private void importFile(Path file, int rows) {
    withLedger(
        Durability.PAGE_CACHE, ledger -> Expect.equal(rows, ledger.importFile(file).inserts()));
  }

  private void withLedger(Durability durability, Consumer<LedgerAppender> work) {
    Path home = place.resolve("bulk-" + stores.incrementAndGet());
    try (ObjectStore store =
            new ObjectStore(DirectoryBackend.open(home, durability), Retry.standard());
        LedgerAppender ledger = new LedgerAppender(store)) {
      work.accept(ledger);
    }
  }
}
