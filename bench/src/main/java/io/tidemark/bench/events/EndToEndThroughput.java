// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.events;

import io.tidemark.bench.measure.BenchS3Clients;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.bench.measure.WorkerThreads;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.testkit.objects.CountingBackend;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.S3Server;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** How many events a second go from one end to the other. */
final class EndToEndThroughput {

  private static final Goal BARE = Goal.atLeast(0.6);

  private static final Map<String, String> DURABLE =
      Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on");

  private final EventsScale scale;
  private final Report report;

  EndToEndThroughput(EventsScale scale, Report report) {
    this.scale = scale;
    this.report = report;
  }

  /**
   * In a directory, every step durable.
   *
   * @param place a directory for it alone
   * @param disk a directory on the same disk in which other users may have directories
   */
  void inDirectory(Path place, Path disk) throws Exception {
    ObjectBackend directory = DirectoryBackend.open(place.resolve("ours"), Durability.SYNC);
    CountingBackend counting = new CountingBackend(directory);
    try (BusPipeline ours = new BusPipeline(on(counting))) {
      BarePipeline.Lengths lengths = lengths(ours, on(counting));
      EventsComparison eventsComparison = new EventsComparison(scale, scale.local(), report);
      ObjectBackend bare = DirectoryBackend.open(place.resolve("bare"), Durability.SYNC);
      try (BarePipeline floor = new BarePipeline(on(bare), lengths)) {
        report.section("directory, sync", "bare writes");
        eventsComparison.compare(ours, floor, Optional.of(BARE));
      }
      try (PostgresServer server = PostgresServer.start(disk, DURABLE);
          PostgresPipeline queue = new PostgresPipeline(server.jdbcUrl())) {
        report.section("directory, sync", "SKIP LOCKED");
        eventsComparison.compare(ours, queue, Optional.empty());
      }
      requests("directory", ours, counting);
    }
  }

  /** On S3, both on the same server in this process. */
  void onS3() throws Exception {
    try (S3Server server = S3Server.start()) {
      CountingBackend counting =
          new CountingBackend(BenchS3Clients.ours(server, server.createBucket().name()));
      try (BusPipeline ours = new BusPipeline(on(counting))) {
        BarePipeline.Lengths lengths = lengths(ours, on(counting));
        ObjectBackend bare = BenchS3Clients.ours(server, server.createBucket().name());
        try (BarePipeline floor = new BarePipeline(on(bare), lengths)) {
          report.section("S3, on loopback", "bare writes");
          new EventsComparison(scale, scale.remote(), report)
              .compare(ours, floor, Optional.of(BARE));
        }
        requests("S3", ours, counting);
      }
    }
  }

  private static ObjectStore on(ObjectBackend backend) {
    return new ObjectStore(backend, Retry.standard());
  }

  private static BarePipeline.Lengths lengths(BusPipeline ours, ObjectStore store)
      throws Exception {
    try (WorkerThreads one = new WorkerThreads(1)) {
      ours.run(1, one);
    }
    return new BarePipeline.Lengths(length(store, "events/"), length(store, "claims/"));
  }

  private static int length(ObjectStore store, String prefix) {
    try (Stream<ObjectInfo> found = store.list(prefix)) {
      return (int) found.findFirst().orElseThrow().size();
    }
  }

  /** What one event asks of the store, by a process that publishes and handles. */
  private void requests(String where, BusPipeline ours, CountingBackend counting) throws Exception {
    int events = scale.remote();
    try (WorkerThreads one = new WorkerThreads(1)) {
      counting.reset();
      ours.run(events, one);
      double each = (double) counting.reset().total() / events;
      report.section(where + ", requests an event", "bare writes");
      report.compareAmounts("1 worker", each, 3);
    }
  }
}
