// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.query;

import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.bench.measure.Workload;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Puts every question to two who answer, in turn, after making sure that they agree. */
final class QueryComparison {

  /** How long a round is to take the peer, so that a hiccup doesn't decide it. */
  private static final double ROUND_MICROS = 100_000;

  private static final int MOST_A_ROUND = 100;

  private final QueryDataset queryDataset;
  private final int rounds;
  private final Report report;

  QueryComparison(QueryDataset queryDataset, int rounds, Report report) {
    this.queryDataset = queryDataset;
    this.rounds = rounds;
    this.report = report;
  }

  /**
   * For a peer that takes seconds: asked once to see that it agrees, and once more for its time.
   */
  void compareOnce(QueryRunner ours, QueryRunner peer) throws Exception {
    for (BenchQuery benchQuery : BenchQuery.values()) {
      requireSame(benchQuery, ours, peer);
      long customer = queryDataset.customer(2);
      PairedBenchmark.Round round =
          new PairedBenchmark.Round(
              ManySmallCommits.micros(() -> ours.answer(benchQuery, customer)),
              ManySmallCommits.micros(() -> peer.answer(benchQuery, customer)));
      report.compareTimes(
          benchQuery.toString(), new PairedBenchmark.Outcome(List.of(round)), Optional.empty());
    }
  }

  /** Compares times; the goal holds for some of the questions. */
  void compare(QueryRunner ours, QueryRunner peer, Optional<Goal> goal, Set<BenchQuery> held)
      throws Exception {
    for (BenchQuery benchQuery : BenchQuery.values()) {
      PairedBenchmark.Outcome outcome = compareOne(benchQuery, ours, peer);
      report.compareTimes(
          benchQuery.toString(), outcome, goal.filter(g -> held.contains(benchQuery)));
    }
  }

  /** Lets both answer one question. */
  PairedBenchmark.Outcome compareOne(BenchQuery benchQuery, QueryRunner ours, QueryRunner peer)
      throws Exception {
    requireSame(benchQuery, ours, peer);
    Workload asked = asking(peer, benchQuery);
    double micros = ManySmallCommits.micros(() -> asked.run(1));
    int operations = (int) Math.max(2, Math.min(MOST_A_ROUND, ROUND_MICROS / micros));
    return new PairedBenchmark(rounds, operations).run(asking(ours, benchQuery), asked);
  }

  private void requireSame(BenchQuery benchQuery, QueryRunner ours, QueryRunner peer)
      throws Exception {
    long customer = queryDataset.customer(1);
    Expect.equal(peer.answer(benchQuery, customer), ours.answer(benchQuery, customer));
  }

  private Workload asking(QueryRunner queryRunner, BenchQuery benchQuery) {
    return operations -> {
      for (int i = 0; i < operations; i++) {
        queryRunner.answer(benchQuery, queryDataset.customer(i + 2));
      }
    };
  }
}
