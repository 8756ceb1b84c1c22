// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.query.QuerySettings.Replication;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Ten million rows in a few commits. */
final class VeryManyRows {

  private static final double POINT_MICROS = 5_000;

  private final Path place;
  private final QueryScale scale;
  private final Report report;

  VeryManyRows(Path place, QueryScale scale, Report report) {
    this.place = place;
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    QueryDataset queryDataset = scale.large();
    Path home = Files.createDirectories(place.resolve("large"));
    String title = "%,d rows".formatted(queryDataset.customers());
    try (QueryFixture queryFixture = new QueryFixture(home, queryDataset);
        BareDuckDb floor = BareDuckDb.on(home, queryDataset);
        Ledger warm = queryFixture.open(Replication.KEPT, "1GB")) {
      QueryRunner ours = new LedgerQueryRunner(warm.query(), queryDataset);
      report.section(title + ", warm", "floor");
      report.reportTime(
          "first query, by which it is fed",
          ManySmallCommits.micros(() -> ours.answer(BenchQuery.FILTER, 0)));
      QueryComparison queryComparison =
          new QueryComparison(queryDataset, Math.min(scale.rounds(), 3), report);
      queryComparison.compare(ours, floor, Optional.empty(), Set.of());
      report.section(title + ", a look-up by key", "5 ms");
      report.compareTimes("warm", point(ours, queryDataset), Optional.of(Goal.atMost(1)));
      otherWays(title, ours, floor);
      new FirstQueryLatency(queryDataset, report).measure(title, queryFixture.writer(), ours);
      spilling(title, queryFixture, queryDataset, ours);
    }
  }

  private PairedBenchmark.Outcome point(QueryRunner ours, QueryDataset queryDataset)
      throws Exception {
    List<PairedBenchmark.Round> rounds = new ArrayList<>();
    for (int i = 0; i < 20 * scale.rounds(); i++) {
      long customer = queryDataset.customer(i + 100);
      double micros = ManySmallCommits.micros(() -> ours.answer(BenchQuery.POINT, customer));
      rounds.add(new PairedBenchmark.Round(micros, POINT_MICROS));
    }
    return new PairedBenchmark.Outcome(rounds);
  }

  /** What the filter costs by JSON, and by numbering versions too. */
  private void otherWays(String title, QueryRunner ours, BareDuckDb bare) throws Exception {
    long expected = ours.answer(BenchQuery.FILTER, 0);
    Expect.equal(expected, bare.filterByJson());
    report.section(title + ", typed filter, count", "json_extract");
    report.compareSpeed(
        "on the file of the state",
        new PairedBenchmark(Math.min(scale.rounds(), 3), 1)
            .run(n -> ours.answer(BenchQuery.FILTER, 0), n -> bare.filterByJson()),
        Optional.of(Goal.atLeast(5)));
    double micros =
        ManySmallCommits.micros(() -> Expect.equal(expected, bare.filterOfLastVersionsByJson()));
    double typed = ManySmallCommits.micros(() -> ours.answer(BenchQuery.FILTER, 0));
    report.compareSpeed(
        "on every version, by ROW_NUMBER",
        new PairedBenchmark.Outcome(List.of(new PairedBenchmark.Round(typed, micros))),
        Optional.of(Goal.atLeast(20)));
  }

  /** With a fraction of the memory it takes longer, and answers. */
  private void spilling(
      String title, QueryFixture queryFixture, QueryDataset queryDataset, QueryRunner ours)
      throws Exception {
    try (Ledger tight = queryFixture.open(Replication.NONE, "200MB")) {
      report.section(title + ", files read, 200 MB of memory", "time", "");
      QueryRunner files = new LedgerQueryRunner(tight.query(), queryDataset);
      long expected = ours.answer(BenchQuery.AGGREGATE, 0);
      report.reportTime(
          "groups, count and average",
          ManySmallCommits.micros(
              () -> Expect.equal(expected, files.answer(BenchQuery.AGGREGATE, 0))));
    }
  }
}
