// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import io.tidemark.bench.measure.Duel;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.S3Clients;
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
final class CommitContest {

  private static final List<Duration> DISTANCES =
      List.of(Duration.ZERO, Duration.ofMillis(10), Duration.ofMillis(30));

  private final LedgerScale scale;
  private final Report report;

  CommitContest(LedgerScale scale, Report report) {
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
      run("S3, on loopback", () -> S3Clients.ours(server, server.createBucket().name()));
    }
  }

  private void run(String where, Supplier<ObjectBackend> place) throws Exception {
    warmUp(scale);
    for (Duration distance : DISTANCES) {
      String title = where + ", " + distance.toMillis() + " ms more a request";
      Supplier<ObjectBackend> store = () -> new DelayedBackend(place.get(), distance);
      report.section(title, "Iceberg");
      long commits = 0;
      for (Load load : Load.ALL) {
        commits = new Cell(scale, report).compare(store, load);
      }
      report.remark(
          "for each line a new ledger and a new table, with " + commits + " commits each");
      if (!distance.isZero()) {
        report.section(title, "2 trips");
        for (Load load : Load.ALL) {
          new Visibility(scale, report).compare(store.get(), load);
        }
      }
    }
  }

  /** The rounds before those that count are too few for code that is still interpreted. */
  static void warmUp(LedgerScale scale) throws Exception {
    for (Load load : Load.ALL) {
      try (Side ours = new Side(new MemoryBackend(), LedgerAppender::new, load);
          Side peer = new Side(new MemoryBackend(), IcebergAppender::new, load)) {
        new Duel(1, scale.warmUp() / 2).fight(ours, peer);
      }
    }
  }
}
