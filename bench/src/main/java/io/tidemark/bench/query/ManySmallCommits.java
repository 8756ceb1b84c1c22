// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import io.tidemark.bench.Duel;
import io.tidemark.bench.Report;
import io.tidemark.bench.Report.Goal;
import io.tidemark.bench.ledger.IcebergAppender;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.query.QuerySettings.Replication;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
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
        BareDuckDb floor = new BareDuckDb(home, data);
        IcebergAppender iceberg = grounds.iceberg();
        Ledger warm = grounds.open(Replication.KEPT, "1GB");
        Ledger direct = grounds.open(Replication.NONE, "1GB")) {
      Asker ours = new LedgerAsker(warm.query(), data);
      report.section(title + ", warm", "floor");
      report.took("first query, by which it is fed", micros(() -> ours.ask(Question.FILTER, 0)));
      contest.compare(ours, floor, Optional.of(Goal.atMost(1)), HELD);
      report.section(title + ", files read each time", "floor");
      Asker files = new LedgerAsker(direct.query(), data);
      new Contest(data, Math.min(scale.rounds(), 3), report)
          .compare(files, floor, Optional.empty(), Set.of());
      report.section(title + ", warm", "Iceberg");
      new Contest(data, Math.min(scale.rounds(), 3), report)
          .compareOnce(ours, new IcebergAsker(iceberg.table(), data));
      new UntilSeen(data, report).measure(title, grounds.writer(), ours);
    }
    oneCommit();
  }

  /** The same state in one commit, read from its file: as after a compaction. */
  private void oneCommit() throws Exception {
    Data small = scale.small();
    Data data = new Data(small.customers(), 1, (int) small.customers(), small.shown());
    Path home = Files.createDirectories(place.resolve("one"));
    try (Grounds grounds = new Grounds(home, data);
        BareDuckDb floor = new BareDuckDb(home, data);
        Ledger direct = grounds.open(Replication.NONE, "1GB")) {
      report.section("the same state in one commit, its file read", "floor");
      Asker files = new LedgerAsker(direct.query(), data);
      Contest contest = new Contest(data, scale.rounds(), report);
      for (Question question :
          List.of(Question.LATEST, Question.POINT, Question.FILTER, Question.AGGREGATE)) {
        Duel.Outcome outcome = contest.fight(question, files, floor);
        report.compared(question.toString(), outcome, Optional.of(Goal.atMost(1.5)));
      }
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
