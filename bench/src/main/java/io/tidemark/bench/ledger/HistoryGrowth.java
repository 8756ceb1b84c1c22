// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/** What a commit of one row costs after many others, beside what it costs after few. */
final class HistoryGrowth {

  private static final CommitContent ONE_ROW = new CommitContent(1, CommitContent.Kind.NEW);

  private final Path place;
  private final LedgerScale scale;
  private final Report report;

  HistoryGrowth(Path place, LedgerScale scale, Report report) {
    this.place = place;
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    CommitComparison.warmUp(scale);
    report.section(
        "directory, sync, a commit of 1 row", after(scale.history()), after(LedgerScale.YOUNG));
    compare("ledger", LedgerAppender::new);
    compare("Iceberg", IcebergAppender::new);
  }

  private static String after(int commits) {
    return "after %,d".formatted(commits);
  }

  private void compare(String who, Function<ObjectStore, Appender> appender) throws Exception {
    Path home = place.resolve("history-" + who);
    try (MeasuredAppender old = side(home.resolve("old"), appender, scale.history());
        MeasuredAppender young = side(home.resolve("young"), appender, LedgerScale.YOUNG)) {
      PairedBenchmark.Outcome outcome =
          new PairedBenchmark(scale.rounds(), scale.commits()).run(old, young);
      report.compareTimes(who, outcome, Optional.empty());
      report.compareAmounts(
          "  KB written a commit",
          old.requests(scale.commits()).bytesWritten() / 1e3 / scale.commits(),
          young.requests(scale.commits()).bytesWritten() / 1e3 / scale.commits());
    }
  }

  private static MeasuredAppender side(
      Path home, Function<ObjectStore, Appender> appender, int commits) {
    MeasuredAppender measuredAppender =
        new MeasuredAppender(DirectoryBackend.open(home, Durability.SYNC), appender, ONE_ROW);
    measuredAppender.run(commits);
    return measuredAppender;
  }
}
