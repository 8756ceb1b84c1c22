// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import io.tidemark.bench.Duel;
import io.tidemark.bench.Expect;
import io.tidemark.bench.Report;
import io.tidemark.bench.Report.Goal;
import io.tidemark.bench.Workload;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Puts every question to two who answer, in turn, after making sure that they agree. */
final class Contest {

  private final Data data;
  private final int rounds;
  private final Report report;

  Contest(Data data, int rounds, Report report) {
    this.data = data;
    this.rounds = rounds;
    this.report = report;
  }

  /**
   * For a peer that takes seconds: asked once to see that it agrees, and once more for its time.
   */
  void compareOnce(Asker ours, Asker peer) throws Exception {
    for (Question question : Question.values()) {
      requireSame(question, ours, peer);
      long customer = data.customer(2);
      Duel.Round round =
          new Duel.Round(
              ManySmallCommits.micros(() -> ours.ask(question, customer)),
              ManySmallCommits.micros(() -> peer.ask(question, customer)));
      report.compared(question.toString(), new Duel.Outcome(List.of(round)), Optional.empty());
    }
  }

  /** Compares times; the goal holds for some of the questions. */
  void compare(Asker ours, Asker peer, Optional<Goal> goal, Set<Question> held) throws Exception {
    for (Question question : Question.values()) {
      Duel.Outcome outcome = fight(question, ours, peer);
      report.compared(question.toString(), outcome, goal.filter(g -> held.contains(question)));
    }
  }

  /** Lets both answer one question. */
  Duel.Outcome fight(Question question, Asker ours, Asker peer) throws Exception {
    requireSame(question, ours, peer);
    int operations = question == Question.POINT || question == Question.HISTORY ? 20 : 2;
    return new Duel(rounds, operations).fight(asking(ours, question), asking(peer, question));
  }

  private void requireSame(Question question, Asker ours, Asker peer) throws Exception {
    long customer = data.customer(1);
    Expect.equal(peer.ask(question, customer), ours.ask(question, customer));
  }

  private Workload asking(Asker asker, Question question) {
    return operations -> {
      for (int i = 0; i < operations; i++) {
        asker.ask(question, data.customer(i + 2));
      }
    };
  }
}
