// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import io.tidemark.bench.ledger.Customer;
import io.tidemark.bench.ledger.LedgerAppender;
import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How long a query takes that is the first after a commit of fifty rows: it looks at the head,
 * fetches the manifest and the file from the store, feeds its replica and answers.
 */
final class FirstQueryLatency {

  private static final long ROWS = 50;
  private static final int COMMITS = 20;
  private static final double ALLOWED_MICROS = 50_000;

  private final QueryDataset queryDataset;
  private final Report report;

  FirstQueryLatency(QueryDataset queryDataset, Report report) {
    this.queryDataset = queryDataset;
    this.report = report;
  }

  void measure(String title, LedgerAppender writer, QueryRunner ours) throws Exception {
    List<PairedBenchmark.Round> rounds = new ArrayList<>();
    for (int commit = -COMMITS / 4; commit < COMMITS; commit++) { // those before 0 warm up
      long state = (long) queryDataset.commits() + commit + COMMITS;
      List<Customer> rows = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        rows.add(Customer.of(queryDataset.customer((commit + COMMITS) * ROWS + i), state));
      }
      writer.commit(rows);
      long customer = queryDataset.customer((commit + COMMITS) * ROWS);
      long[] seen = {0};
      double micros =
          ManySmallCommits.micros(() -> seen[0] = ours.answer(BenchQuery.POINT, customer));
      Expect.equal(Customer.of(customer, state).visits(), seen[0]);
      if (commit >= 0) {
        rounds.add(new PairedBenchmark.Round(micros, ALLOWED_MICROS));
      }
    }
    report.section(title + ", the first query after a commit", "50 ms");
    report.compareTimes(
        "50 rows are seen", new PairedBenchmark.Outcome(rounds), Optional.of(Goal.atMost(1)));
  }
}
