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

  private static final Set<Question> HELD =
      EnumSet.of(Question.LATEST, Question.FILTER, Question.AGGREGATE, Question.POINT);

  private final Path place;
  private final QueryScale scale;
  private final Report report;

  ManySmallCommits(Path place, QueryScale scale, Report report) {
    this.place = place;
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    Data data = scale.small();
    Path home = Files.createDirectories(place.resolve("small"));
    String title = "%,d commits x %d rows".formatted(data.commits(), data.rows());
    Contest contest = new Contest(data, scale.rounds(), report);
    try (Grounds grounds = new Grounds(home, data);
        BareDuckDb floor = BareDuckDb.on(home, data);
        Ledger warm = grounds.open(Replication.KEPT, "1GB")) {
      Asker ours = new LedgerAsker(warm.query(), data);
      report.section(title + ", warm", "floor");
      report.took("first query, by which it is fed", micros(() -> ours.ask(Question.FILTER, 0)));
      contest.compare(ours, floor, Optional.of(Goal.atMost(1)), HELD);
      uncompacted(title, grounds, floor);
      besideIceberg(title, grounds, ours);
      grounds.compact();
      new OneSnapshot(title + " compacted", grounds, floor, report)
          .measure(home, data, scale.rounds());
      new UntilSeen(data, report).measure(title, grounds.writer(), ours);
    }
  }

  private void uncompacted(String title, Grounds grounds, BareDuckDb floor) throws Exception {
    report.section(title + ", files read each time", "floor");
    try (Ledger direct = grounds.open(Replication.NONE, "1GB")) {
      new Contest(scale.small(), Math.min(scale.rounds(), 3), report)
          .compare(
              new LedgerAsker(direct.query(), scale.small()), floor, Optional.empty(), Set.of());
    }
  }

  private void besideIceberg(String title, Grounds grounds, Asker ours) throws Exception {
    report.section(title + ", warm", "Iceberg");
    try (IcebergAppender iceberg = grounds.iceberg()) {
      new Contest(scale.small(), 1, report)
          .compareOnce(ours, new IcebergAsker(iceberg.table(), scale.small()));
    }
  }

  static double micros(Timed work) throws Exception {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e3;
  }

  /** Something that takes time. */
  @FunctionalInterface
  interface Timed {
    void run() throws Exception;
  }
}
