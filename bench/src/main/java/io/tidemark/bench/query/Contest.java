// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import io.tidemark.bench.Duel;
import io.tidemark.bench.Expect;
import io.tidemark.bench.Report;
import io.tidemark.bench.Report.Goal;
import io.tidemark.bench.Workload;
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

  /** The same with a peer of which one answer a round is enough to wait for. */
  void compareOnce(Asker ours, Asker peer) throws Exception {
    for (Question question : Question.values()) {
      requireSame(question, ours, peer);
      Duel.Outcome outcome =
          new Duel(rounds, 1).fight(asking(ours, question), asking(peer, question));
      report.compared(question.toString(), outcome, Optional.empty());
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
