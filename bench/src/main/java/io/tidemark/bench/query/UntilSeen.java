// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import io.tidemark.bench.ledger.Customer;
import io.tidemark.bench.ledger.LedgerAppender;
import io.tidemark.bench.measure.Duel;
import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How long a query takes that is the first after a commit of fifty rows: it looks at the head,
 * fetches the manifest and the file from the store, feeds its replica and answers.
 */
final class UntilSeen {

  private static final long ROWS = 50;
  private static final int COMMITS = 20;
  private static final double ALLOWED_MICROS = 50_000;

  private final Data data;
  private final Report report;

  UntilSeen(Data data, Report report) {
    this.data = data;
    this.report = report;
  }

  void measure(String title, LedgerAppender writer, Asker ours) throws Exception {
    List<Duel.Round> rounds = new ArrayList<>();
    for (int commit = -COMMITS / 4; commit < COMMITS; commit++) { // those before 0 warm up
      long state = (long) data.commits() + commit + COMMITS;
      List<Customer> rows = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        rows.add(Customer.of(data.customer((commit + COMMITS) * ROWS + i), state));
      }
      writer.commit(rows);
      long customer = data.customer((commit + COMMITS) * ROWS);
      long[] seen = {0};
      double micros = ManySmallCommits.micros(() -> seen[0] = ours.ask(Question.POINT, customer));
      Expect.equal(Customer.of(customer, state).visits(), seen[0]);
      if (commit >= 0) {
        rounds.add(new Duel.Round(micros, ALLOWED_MICROS));
      }
    }
    report.section(title + ", the first query after a commit", "50 ms");
    report.compared("50 rows are seen", new Duel.Outcome(rounds), Optional.of(Goal.atMost(1)));
  }
}
