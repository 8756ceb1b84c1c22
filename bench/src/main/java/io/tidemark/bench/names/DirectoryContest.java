// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.names.objects.Layout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.testkit.servers.PostgresServer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/**
 * The nameservice in a directory, every move durable, beside the file operations that this takes
 * and beside durable updates of PostgreSQL on the same disk.
 */
final class DirectoryContest {

  private static final Map<String, String> DURABLE =
      Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on");

  private final Path place;
  private final Path disk;
  private final NamesScale scale;
  private final Report report;

  /**
   * Plans it.
   *
   * @param place a directory for it alone
   * @param disk a directory on the same disk in which other users may have directories
   */
  DirectoryContest(Path place, Path disk, NamesScale scale, Report report) {
    this.place = place;
    this.disk = disk;
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    ObjectStore store = store(place.resolve("ours"), Durability.SYNC);
    Contest contest = new Contest(scale, scale.synced(), report);
    try (Movers<?> ours = Movers.of(new NameRegisters(on(store)), scale.records())) {
      int length = Lengths.ofOneDocument(store);
      Registers<?> floor = new BareFileRegisters(place.resolve("floor"), length);
      try (Movers<?> bare = Movers.of(floor, scale.records())) {
        report.section("directory, sync", "bare files");
        contest.fight(ours, bare, setting -> Optional.of(Goal.atLeast(0.8)));
        report.remark("a file of " + length + " bytes a record, written, synced, renamed, synced");
      }
      try (PostgresServer server = PostgresServer.start(disk, DURABLE);
          Movers<?> rows = Movers.of(new PostgresRegisters(server.jdbcUrl()), scale.records())) {
        report.section("directory, sync", "PostgreSQL");
        contest.fight(ours, rows, DirectoryContest::aheadWhenBusy);
        report.remark("PostgreSQL has fsync, synchronous_commit and full_page_writes on");
      }
    }
  }

  private static Optional<Goal> aheadWhenBusy(Contest.Setting setting) {
    return setting.threads() > 1 && setting.spread()
        ? Optional.of(Goal.atLeast(1))
        : Optional.empty();
  }

  static ObjectStore store(Path directory, Durability durability) {
    return new ObjectStore(DirectoryBackend.open(directory, durability), Retry.standard());
  }

  static ObjectNameBackend on(ObjectStore store) {
    return new ObjectNameBackend(store, Layout.B, Retry.standard(), Clock.systemUTC());
  }
}
