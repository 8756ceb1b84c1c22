// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import io.tidemark.bench.measure.Duel;
import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.bench.measure.Workload;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Puts every question to two who answer, in turn, after making sure that they agree. */
final class Contest {

  /** How long a round is to take the peer, so that a hiccup doesn't decide it. */
  private static final double ROUND_MICROS = 100_000;

  private static final int MOST_A_ROUND = 100;

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
    Workload asked = asking(peer, question);
    double micros = ManySmallCommits.micros(() -> asked.run(1));
    int operations = (int) Math.max(2, Math.min(MOST_A_ROUND, ROUND_MICROS / micros));
    return new Duel(rounds, operations).fight(asking(ours, question), asked);
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
