// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.names.objects.DocumentLayout;
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
final class DirectoryComparison {

  private static final Map<String, String> DURABLE =
      Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on");

  private final Path place;
  private final Path disk;
  private final NamesBenchScale scale;
  private final Report report;

  /**
   * Plans it.
   *
   * @param place a directory for it alone
   * @param disk a directory on the same disk in which other users may have directories
   */
  DirectoryComparison(Path place, Path disk, NamesBenchScale scale, Report report) {
    this.place = place;
    this.disk = disk;
    this.scale = scale;
    this.report = report;
  }

  void run() throws Exception {
    ObjectStore store = store(place.resolve("ours"), Durability.SYNC);
    NamesComparison namesComparison = new NamesComparison(scale, scale.synced(), report);
    try (RegisterWriters<?> ours =
        RegisterWriters.of(new NameRegisters(on(store)), scale.records())) {
      int length = DocumentLengths.ofOneDocument(store);
      Registers<?> floor = new BareFileRegisters(place.resolve("floor"), length);
      try (RegisterWriters<?> bare = RegisterWriters.of(floor, scale.records())) {
        report.section("directory, sync", "bare files");
        namesComparison.compare(ours, bare, setting -> Optional.of(Goal.atLeast(0.8)));
        report.remark("a file of " + length + " bytes a record, written, synced, renamed, synced");
      }
      try (PostgresServer server = PostgresServer.start(disk, DURABLE);
          RegisterWriters<?> rows =
              RegisterWriters.of(new PostgresRegisters(server.jdbcUrl()), scale.records())) {
        report.section("directory, sync", "PostgreSQL");
        namesComparison.compare(ours, rows, DirectoryComparison::aheadWhenBusy);
        report.remark("PostgreSQL has fsync, synchronous_commit and full_page_writes on");
      }
    }
  }

  private static Optional<Goal> aheadWhenBusy(NamesComparison.Setting setting) {
    return setting.threads() > 1 && setting.spread()
        ? Optional.of(Goal.atLeast(1))
        : Optional.empty();
  }

  static ObjectStore store(Path directory, Durability durability) {
    return new ObjectStore(DirectoryBackend.open(directory, durability), Retry.standard());
  }

  static ObjectNameBackend on(ObjectStore store) {
    return new ObjectNameBackend(store, DocumentLayout.B, Retry.standard(), Clock.systemUTC());
  }
}
