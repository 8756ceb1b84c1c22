// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.bench.measure.Expect;
import io.tidemark.bench.measure.PairedBenchmark;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.features.Features;
import io.tidemark.features.bulk.LoadOptions;
import io.tidemark.features.bulk.input.Input;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.model.Actor;
import io.tidemark.testkit.servers.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A file of features into a new collection, beside COPY of the same rows and the same keys. Ours
 * also reads and checks GeoJSON, makes the namespaces, and ends in a collection with triggers.
 */
final class FeatureBulkLoad {

  private static final Actor ACTOR = Actor.app("bench");

  /** Commits wait for the disk, as they do where data matters. */
  static final Map<String, String> DURABLE =
      Map.of(
          "fsync", "on",
          "synchronous_commit", "on",
          "full_page_writes", "on",
          "shared_buffers", "512MB",
          "max_wal_size", "8GB");

  private final Path place;
  private final int rows;
  private final Report report;
  private int loads;

  /**
   * @param place on the disk to be measured
   * @param rows how many features
   */
  FeatureBulkLoad(Path place, int rows, Report report) {
    this.place = place;
    this.rows = rows;
    this.report = report;
  }

  /** So many rounds of each, in turn, with so many connections. */
  void run(int rounds, int parallel) throws Exception {
    Path file = PointFile.create(place, rows);
    LoadOptions options =
        LoadOptions.standard().creating(CollectionOptions.none()).inParallel(parallel);
    try (PostgresServer server = PostgresServer.start(place, DURABLE)) {
      String url = server.createDatabase();
      try (Features features = Features.open(url, "bench")) {
        String loaded = load(features, file, options);
        try (BareCopy peer = new BareCopy(url, loaded, parallel)) {
          PairedBenchmark.Outcome outcome =
              new PairedBenchmark(rounds, rows)
                  .run(n -> load(features, file, options), n -> peer.run());
          tell(outcome, parallel, Files.size(file), peer.bytes());
        }
      }
    } finally {
      Files.delete(file);
    }
  }

  private void tell(
      PairedBenchmark.Outcome outcome, int parallel, long fileBytes, long copiedBytes) {
    report.section("%,d features, %d connections".formatted(rows, parallel), "COPY and keys");
    report.compareTimes(
        "a file of GeoJSONSeq into a collection", outcome, Optional.of(Goal.atMost(1.5)));
    report.remark(
        "the file has %,d bytes, COPY sends %,d; ratios of the rounds: %s"
            .formatted(
                fileBytes,
                copiedBytes,
                outcome.rounds().stream()
                    .map(r -> String.format(Locale.ROOT, "%.2f", r.oursMicros() / r.peerMicros()))
                    .toList()));
  }

  /** Into a new one each time; the one before is dropped, as the peer drops its tables. */
  private String load(Features features, Path file, LoadOptions options) {
    features.transact(ACTOR, tx -> tx.collections().purge("loaded" + loads));
    String name = "loaded" + ++loads;
    Expect.equal(
        rows, features.bulk().load(ACTOR, name, Input.of(file), options).run(p -> {}).loaded());
    return name;
  }
}
