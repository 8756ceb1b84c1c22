// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.bench.measure.Workload;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Two who do the same work: one thread and many, on one record and on many. The times are those of
 * a move that was made; what it took to lose others before is in them.
 */
final class NamesComparison {

  /** How many threads are many. */
  static final int MANY = 8;

  /** How much fewer moves there are when many threads fight for one record. */
  private static final int FIGHT = 2;

  /** Who writes where. */
  record Setting(int threads, boolean spread) {
    String text(int records) {
      return (threads == 1 ? "1 thread" : threads + " threads")
          + ", "
          + (spread ? records + " records" : "one record");
    }

    boolean isFight() {
      return threads > 1 && !spread;
    }
  }

  private static final Setting BUSIEST = new Setting(MANY, true);

  private static final List<Setting> SETTINGS =
      List.of(new Setting(1, false), new Setting(1, true), new Setting(MANY, false), BUSIEST);

  private final NamesBenchScale scale;
  private final int operations;
  private final Report report;

  /**
   * Plans it.
   *
   * @param operations how many moves a round has
   */
  NamesComparison(NamesBenchScale scale, int operations, Report report) {
    this.scale = scale;
    this.operations = operations;
    this.report = report;
  }

  void compare(
      RegisterWriters<?> ours, RegisterWriters<?> peer, Function<Setting, Optional<Goal>> goal)
      throws Exception {
    warmUp(ours.workload(BUSIEST), peer.workload(BUSIEST));
    for (Setting setting : SETTINGS) {
      PairedBenchmark pairedBenchmark =
          new PairedBenchmark(scale.rounds(), setting.isFight() ? operations / FIGHT : operations);
      report.compareSpeed(
          setting.text(scale.records()),
          pairedBenchmark.run(ours.workload(setting), peer.workload(setting)),
          goal.apply(setting));
    }
  }

  /**
   * The rounds before those that count are few, and code that runs a few hundred times over the
   * wire is still interpreted: that would be held against whoever has more code.
   */
  private void warmUp(Workload ours, Workload peer) throws Exception {
    for (int made = 0; made < scale.warmUp(); made += operations) {
      ours.run(operations);
      peer.run(operations);
    }
  }
}
