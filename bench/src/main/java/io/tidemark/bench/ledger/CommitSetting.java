// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import com.sun.management.OperatingSystemMXBean;
import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.testkit.objects.RequestCounts;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.function.Supplier;

/** One setting in which a new ledger and a new table of Iceberg's take turns. */
final class CommitSetting {

  private static final OperatingSystemMXBean MACHINE =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /** What a commit costs apart from time: a busy machine doesn't make it dearer. */
  private record CommitCost(double requests, double kilobytes, double cpuMillis) {}

  private final LedgerScale scale;
  private final Report report;

  CommitSetting(LedgerScale scale, Report report) {
    this.scale = scale;
    this.report = report;
  }

  /**
   * Compares them.
   *
   * @param place makes an empty store each time
   * @return how many commits each has made
   */
  long compare(Supplier<ObjectBackend> place, CommitContent commitContent) throws Exception {
    try (MeasuredAppender ours =
            new MeasuredAppender(place.get(), LedgerAppender::new, commitContent);
        MeasuredAppender peer =
            new MeasuredAppender(place.get(), IcebergAppender::new, commitContent)) {
      PairedBenchmark.Outcome outcome =
          new PairedBenchmark(scale.rounds(), scale.commits()).run(ours, peer);
      Optional<Goal> goal =
          commitContent.isSmall() ? Optional.of(Goal.atLeast(3)) : Optional.empty();
      report.compareRates(commitContent + " a commit", outcome, goal);
      CommitCost our = price(ours);
      CommitCost their = price(peer);
      report.compareAmounts("  requests a commit", our.requests(), their.requests());
      report.compareAmounts("  KB written a commit", our.kilobytes(), their.kilobytes());
      report.compareAmounts("  CPU ms a commit", our.cpuMillis(), their.cpuMillis());
      return ours.commits();
    }
  }

  private CommitCost price(MeasuredAppender measuredAppender) {
    double commits = scale.commits();
    long before = MACHINE.getProcessCpuTime();
    RequestCounts requestCounts = measuredAppender.requests(scale.commits());
    long cpu = MACHINE.getProcessCpuTime() - before;
    return new CommitCost(
        requestCounts.total() / commits,
        requestCounts.bytesWritten() / 1e3 / commits,
        cpu / 1e6 / commits);
  }
}
