// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import io.tidemark.bench.measure.Duel;
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

  private static final Set<Question> ALL = EnumSet.allOf(Question.class);
  private static final Optional<Goal> GOAL = Optional.of(Goal.atMost(1.5));

  private final String title;
  private final Grounds grounds;
  private final BareDuckDb floor;
  private final Report report;

  OneSnapshot(String title, Grounds grounds, BareDuckDb floor, Report report) {
    this.title = title;
    this.grounds = grounds;
    this.floor = floor;
    this.report = report;
  }

  void measure(Path home, Data data, int rounds) throws Exception {
    Contest contest = new Contest(data, rounds, report);
    Path cache = home.resolve("cache");
    try (Ledger direct = grounds.open(Replication.NONE, "1GB")) {
      report.section(title + ", file read, ledger open", "floor");
      contest.compare(new LedgerAsker(direct.query(), data), floor, Optional.empty(), Set.of());
    }
    report.section(title + ", file read, opened each time", "floor");
    fixed(cache, rounds);
    contest.compare(openedAt(cache, data), floor.openedAnew(), GOAL, ALL);
    report.section(title + ", fetched and read, opened each time", "floor");
    int[] next = {0};
    Asker fetching =
        (question, customer) ->
            openedAt(home.resolve("cache-" + next[0]++), data).ask(question, customer);
    new Contest(data, Math.min(rounds, 3), report).compare(fetching, floor.openedAnew(), GOAL, ALL);
  }

  private Asker openedAt(Path cache, Data data) {
    return (question, customer) -> {
      try (Ledger ledger = grounds.openAt(cache)) {
        return new LedgerAsker(ledger.query(), data).ask(question, customer);
      }
    };
  }

  /** Everything but reading: the head, the types, the index and the file are found. */
  private void fixed(Path cache, int rounds) throws Exception {
    Duel.Outcome outcome =
        new Duel(rounds, 4)
            .fight(
                operations -> {
                  for (int i = 0; i < operations; i++) {
                    try (Ledger ledger = grounds.openAt(cache)) {
                      ledger.query().entities("Customer").limit(0).list();
                    }
                  }
                },
                operations -> {
                  for (int i = 0; i < operations; i++) {
                    floor.openForNothing();
                  }
                });
    report.compared("of it fixed: no rows asked for", outcome, Optional.empty());
  }
}
