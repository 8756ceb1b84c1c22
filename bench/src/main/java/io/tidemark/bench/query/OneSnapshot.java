// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.query.QuerySettings.Replication;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * A ledger that was compacted into one file, which is read for each question; no replica has a part
 * in it. Asked in three ways, which differ by what is left from before:
 *
 * <ol>
 *   <li>the ledger is open, and so is the floor's DuckDB;
 *   <li>a ledger is opened for each question and a DuckDB by it, as the floor's is; the copy of the
 *       file is on the disk, and its hash is checked;
 *   <li>the same with nothing on the disk, so that the file is fetched from the store first, which
 *       the floor needn't do.
 * </ol>
 */
final class OneSnapshot {

  private static final Set<BenchQuery> ALL = EnumSet.allOf(BenchQuery.class);
  private static final Optional<Goal> GOAL = Optional.of(Goal.atMost(1.5));

  private final String title;
  private final QueryFixture queryFixture;
  private final BareDuckDb floor;
  private final Report report;

  OneSnapshot(String title, QueryFixture queryFixture, BareDuckDb floor, Report report) {
    this.title = title;
    this.queryFixture = queryFixture;
    this.floor = floor;
    this.report = report;
  }

  void measure(Path home, QueryDataset queryDataset, int rounds) throws Exception {
    QueryComparison queryComparison = new QueryComparison(queryDataset, rounds, report);
    Path cache = home.resolve("cache");
    try (Ledger direct = queryFixture.open(Replication.NONE, "1GB")) {
      report.section(title + ", file read, ledger open", "floor");
      queryComparison.compare(
          new LedgerQueryRunner(direct.query(), queryDataset), floor, Optional.empty(), Set.of());
    }
    report.section(title + ", file read, opened each time", "floor");
    fixed(cache, rounds);
    queryComparison.compare(openedAt(cache, queryDataset), floor.openedAnew(), GOAL, ALL);
    report.section(title + ", fetched and read, opened each time", "floor");
    int[] next = {0};
    QueryRunner fetching =
        (benchQuery, customer) ->
            openedAt(home.resolve("cache-" + next[0]++), queryDataset).answer(benchQuery, customer);
    new QueryComparison(queryDataset, Math.min(rounds, 3), report)
        .compare(fetching, floor.openedAnew(), GOAL, ALL);
  }

  private QueryRunner openedAt(Path cache, QueryDataset queryDataset) {
    return (benchQuery, customer) -> {
      try (Ledger ledger = queryFixture.openAt(cache)) {
        return new LedgerQueryRunner(ledger.query(), queryDataset).answer(benchQuery, customer);
      }
    };
  }

  /** Everything but reading: the head, the types, the index and the file are found. */
  private void fixed(Path cache, int rounds) throws Exception {
    PairedBenchmark.Outcome outcome =
        new PairedBenchmark(rounds, 4)
            .run(
                operations -> {
                  for (int i = 0; i < operations; i++) {
                    try (Ledger ledger = queryFixture.openAt(cache)) {
                      ledger.query().entities("Customer").limit(0).list();
                    }
                  }
                },
                operations -> {
                  for (int i = 0; i < operations; i++) {
                    floor.openAndLook();
                  }
                });
    report.compareTimes("of it fixed: no rows asked for", outcome, Optional.empty());
  }
}
