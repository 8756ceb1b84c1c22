// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.events;

import io.tidemark.bench.measure.Crew;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.bench.measure.S3Clients;
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
final class Ends {

  private static final Goal BARE = Goal.atLeast(0.6);

  private static final Map<String, String> DURABLE =
      Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on");

  private final EventsScale scale;
  private final Report report;

  Ends(EventsScale scale, Report report) {
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
    try (BusFlow ours = new BusFlow(on(counting))) {
      BareFlow.Lengths lengths = lengths(ours, on(counting));
      Contest contest = new Contest(scale, scale.local(), report);
      ObjectBackend bare = DirectoryBackend.open(place.resolve("bare"), Durability.SYNC);
      try (BareFlow floor = new BareFlow(on(bare), lengths)) {
        report.section("directory, sync", "bare writes");
        contest.fight(ours, floor, Optional.of(BARE));
      }
      try (PostgresServer server = PostgresServer.start(disk, DURABLE);
          PostgresFlow queue = new PostgresFlow(server.jdbcUrl())) {
        report.section("directory, sync", "SKIP LOCKED");
        contest.fight(ours, queue, Optional.empty());
      }
      requests("directory", ours, counting);
    }
  }

  /** On S3, both on the same server in this process. */
  void onS3() throws Exception {
    try (S3Server server = S3Server.start()) {
      CountingBackend counting =
          new CountingBackend(S3Clients.ours(server, server.createBucket().name()));
      try (BusFlow ours = new BusFlow(on(counting))) {
        BareFlow.Lengths lengths = lengths(ours, on(counting));
        ObjectBackend bare = S3Clients.ours(server, server.createBucket().name());
        try (BareFlow floor = new BareFlow(on(bare), lengths)) {
          report.section("S3, on loopback", "bare writes");
          new Contest(scale, scale.remote(), report).fight(ours, floor, Optional.of(BARE));
        }
        requests("S3", ours, counting);
      }
    }
  }

  private static ObjectStore on(ObjectBackend backend) {
    return new ObjectStore(backend, Retry.standard());
  }

  private static BareFlow.Lengths lengths(BusFlow ours, ObjectStore store) throws Exception {
    try (Crew one = new Crew(1)) {
      ours.run(1, one);
    }
    return new BareFlow.Lengths(length(store, "events/"), length(store, "claims/"));
  }

  private static int length(ObjectStore store, String prefix) {
    try (Stream<ObjectInfo> found = store.list(prefix)) {
      return (int) found.findFirst().orElseThrow().size();
    }
  }

  /** What one event asks of the store, by a process that publishes and handles. */
  private void requests(String where, BusFlow ours, CountingBackend counting) throws Exception {
    int events = scale.remote();
    try (Crew one = new Crew(1)) {
      counting.reset();
      ours.run(events, one);
      double each = (double) counting.reset().total() / events;
      report.section(where + ", requests an event", "bare writes");
      report.weighed("1 worker", each, 3);
    }
  }
}
