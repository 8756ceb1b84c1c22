// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import io.tidemark.bench.ledger.IcebergAppender;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.query.QuerySettings.Replication;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** A thousand commits of fifty rows, which nobody has put together. */
final class ManySmallCommits {

  private static final Set<BenchQuery> HELD =
      EnumSet.of(BenchQuery.LATEST, BenchQuery.FILTER, BenchQuery.AGGREGATE, BenchQuery.POINT);

  private final Path place;
  private final QueryScale scale;
  private final Report report;

  ManySmallCommits(Path place, QueryScale scale, Report report) {
    this.place = place;
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    QueryDataset queryDataset = scale.small();
    Path home = Files.createDirectories(place.resolve("small"));
    String title = "%,d commits x %d rows".formatted(queryDataset.commits(), queryDataset.rows());
    QueryComparison queryComparison = new QueryComparison(queryDataset, scale.rounds(), report);
    try (QueryFixture queryFixture = new QueryFixture(home, queryDataset);
        BareDuckDb floor = BareDuckDb.on(home, queryDataset);
        Ledger warm = queryFixture.open(Replication.KEPT, "1GB")) {
      QueryRunner ours = new LedgerQueryRunner(warm.query(), queryDataset);
      report.section(title + ", warm", "floor");
      report.reportTime(
          "first query, by which it is fed", micros(() -> ours.answer(BenchQuery.FILTER, 0)));
      queryComparison.compare(ours, floor, Optional.of(Goal.atMost(1)), HELD);
      uncompacted(title, queryFixture, floor);
      compareWithIceberg(title, queryFixture, ours);
      queryFixture.compact();
      new OneSnapshot(title + " compacted", queryFixture, floor, report)
          .measure(home, queryDataset, scale.rounds());
      new FirstQueryLatency(queryDataset, report).measure(title, queryFixture.writer(), ours);
    }
  }

  private void uncompacted(String title, QueryFixture queryFixture, BareDuckDb floor)
      throws Exception {
    report.section(title + ", files read each time", "floor");
    try (Ledger direct = queryFixture.open(Replication.NONE, "1GB")) {
      new QueryComparison(scale.small(), Math.min(scale.rounds(), 3), report)
          .compare(
              new LedgerQueryRunner(direct.query(), scale.small()),
              floor,
              Optional.empty(),
              Set.of());
    }
  }

  private void compareWithIceberg(String title, QueryFixture queryFixture, QueryRunner ours)
      throws Exception {
    report.section(title + ", warm", "Iceberg");
    try (IcebergAppender iceberg = queryFixture.iceberg()) {
      new QueryComparison(scale.small(), 1, report)
          .compareOnce(ours, new IcebergQueryRunner(iceberg.table(), scale.small()));
    }
  }

  static double micros(Work work) throws Exception {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e3;
  }

  /** Something that takes time. */
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }
}
