// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import io.tidemark.bench.measure.Duel;
import io.tidemark.bench.measure.Expect;
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
    Data data = scale.large();
    Path home = Files.createDirectories(place.resolve("large"));
    String title = "%,d rows".formatted(data.customers());
    try (Grounds grounds = new Grounds(home, data);
        BareDuckDb floor = BareDuckDb.on(home, data);
        Ledger warm = grounds.open(Replication.KEPT, "1GB")) {
      Asker ours = new LedgerAsker(warm.query(), data);
      report.section(title + ", warm", "floor");
      report.took(
          "first query, by which it is fed",
          ManySmallCommits.micros(() -> ours.ask(Question.FILTER, 0)));
      Contest contest = new Contest(data, Math.min(scale.rounds(), 3), report);
      contest.compare(ours, floor, Optional.empty(), Set.of());
      report.section(title + ", a look-up by key", "5 ms");
      report.compared("warm", point(ours, data), Optional.of(Goal.atMost(1)));
      otherWays(title, ours, floor);
      new UntilSeen(data, report).measure(title, grounds.writer(), ours);
      spilling(title, grounds, data, ours);
    }
  }

  private Duel.Outcome point(Asker ours, Data data) throws Exception {
    List<Duel.Round> rounds = new ArrayList<>();
    for (int i = 0; i < 20 * scale.rounds(); i++) {
      long customer = data.customer(i + 100);
      double micros = ManySmallCommits.micros(() -> ours.ask(Question.POINT, customer));
      rounds.add(new Duel.Round(micros, POINT_MICROS));
    }
    return new Duel.Outcome(rounds);
  }

  /** What the filter costs by JSON, and by numbering versions too. */
  private void otherWays(String title, Asker ours, BareDuckDb bare) throws Exception {
    long expected = ours.ask(Question.FILTER, 0);
    Expect.equal(expected, bare.filterByJson());
    report.section(title + ", typed filter, count", "json_extract");
    report.spedUp(
        "on the file of the state",
        new Duel(Math.min(scale.rounds(), 3), 1)
            .fight(n -> ours.ask(Question.FILTER, 0), n -> bare.filterByJson()),
        Optional.of(Goal.atLeast(5)));
    double micros =
        ManySmallCommits.micros(() -> Expect.equal(expected, bare.filterOfLastVersionsByJson()));
    double typed = ManySmallCommits.micros(() -> ours.ask(Question.FILTER, 0));
    report.spedUp(
        "on every version, by ROW_NUMBER",
        new Duel.Outcome(List.of(new Duel.Round(typed, micros))),
        Optional.of(Goal.atLeast(20)));
  }

  /** With a fraction of the memory it takes longer, and answers. */
  private void spilling(String title, Grounds grounds, Data data, Asker ours) throws Exception {
    try (Ledger tight = grounds.open(Replication.NONE, "200MB")) {
      report.section(title + ", files read, 200 MB of memory", "time", "");
      Asker files = new LedgerAsker(tight.query(), data);
      long expected = ours.ask(Question.AGGREGATE, 0);
      report.took(
          "groups, count and average",
          ManySmallCommits.micros(() -> Expect.equal(expected, files.ask(Question.AGGREGATE, 0))));
    }
  }
}
