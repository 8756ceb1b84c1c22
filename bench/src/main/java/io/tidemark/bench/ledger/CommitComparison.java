// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import io.tidemark.bench.measure.BenchS3Clients;
import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.testkit.servers.S3Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Commits beside Iceberg's, at every distance from the store. */
final class CommitComparison {

  private static final List<Duration> DISTANCES =
      List.of(Duration.ZERO, Duration.ofMillis(10), Duration.ofMillis(30));

  private final LedgerScale scale;
  private final Report report;

  CommitComparison(LedgerScale scale, Report report) {
    this.scale = scale;
    this.report = report;
  }

  void inDirectory(Path place) throws Exception {
    AtomicInteger stores = new AtomicInteger();
    run(
        "directory, sync",
        () -> {
          Path home = place.resolve("store-" + stores.incrementAndGet());
          return DirectoryBackend.open(home, Durability.SYNC);
        });
  }

  void onS3() throws Exception {
    try (S3Server server = S3Server.start()) {
      run("S3, on loopback", () -> BenchS3Clients.ours(server, server.createBucket().name()));
    }
  }

  private void run(String where, Supplier<ObjectBackend> place) throws Exception {
    warmUp(scale);
    for (Duration distance : DISTANCES) {
      String title = where + ", " + distance.toMillis() + " ms more a request";
      Supplier<ObjectBackend> store = () -> new DelayedBackend(place.get(), distance);
      report.section(title, "Iceberg");
      long commits = 0;
      for (CommitContent commitContent : CommitContent.ALL) {
        commits = new CommitSetting(scale, report).compare(store, commitContent);
      }
      report.remark(
          "for each line a new ledger and a new table, with " + commits + " commits each");
      if (!distance.isZero()) {
        report.section(title, "2 trips");
        for (CommitContent commitContent : CommitContent.ALL) {
          new CommitVisibility(scale, report).compare(store.get(), commitContent);
        }
      }
    }
  }

  /** The rounds before those that count are too few for code that is still interpreted. */
  static void warmUp(LedgerScale scale) throws Exception {
    for (CommitContent commitContent : CommitContent.ALL) {
      try (MeasuredAppender ours =
              new MeasuredAppender(new MemoryBackend(), LedgerAppender::new, commitContent);
          MeasuredAppender peer =
              new MeasuredAppender(new MemoryBackend(), IcebergAppender::new, commitContent)) {
        new PairedBenchmark(1, scale.warmUp() / 2).run(ours, peer);
      }
    }
  }
}
