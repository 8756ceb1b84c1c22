// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import com.sun.management.OperatingSystemMXBean;
import io.tidemark.bench.measure.Duel;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.testkit.objects.Requests;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.function.Supplier;

/** One setting in which a new ledger and a new table of Iceberg's take turns. */
final class Cell {

  private static final OperatingSystemMXBean MACHINE =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /** What a commit costs apart from time: a busy machine doesn't make it dearer. */
  private record Price(double requests, double kilobytes, double cpuMillis) {}

  private final LedgerScale scale;
  private final Report report;

  Cell(LedgerScale scale, Report report) {
    this.scale = scale;
    this.report = report;
  }

  /**
   * Compares them.
   *
   * @param place makes an empty store each time
   * @return how many commits each has made
   */
  long compare(Supplier<ObjectBackend> place, Load load) throws Exception {
    try (Side ours = new Side(place.get(), LedgerAppender::new, load);
        Side peer = new Side(place.get(), IcebergAppender::new, load)) {
      Duel.Outcome outcome = new Duel(scale.rounds(), scale.commits()).fight(ours, peer);
      Optional<Goal> goal = load.isSmall() ? Optional.of(Goal.atLeast(3)) : Optional.empty();
      report.rated(load + " a commit", outcome, goal);
      Price our = price(ours);
      Price their = price(peer);
      report.weighed("  requests a commit", our.requests(), their.requests());
      report.weighed("  KB written a commit", our.kilobytes(), their.kilobytes());
      report.weighed("  CPU ms a commit", our.cpuMillis(), their.cpuMillis());
      return ours.commits();
    }
  }

  private Price price(Side side) {
    double commits = scale.commits();
    long before = MACHINE.getProcessCpuTime();
    Requests requests = side.requests(scale.commits());
    long cpu = MACHINE.getProcessCpuTime() - before;
    return new Price(
        requests.total() / commits, requests.bytesWritten() / 1e3 / commits, cpu / 1e6 / commits);
  }
}
