// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.bench.features.FeatureWriter.PreparedBatch;
import io.tidemark.bench.features.FeaturesScale.Batches;
import io.tidemark.bench.measure.PairedBenchmark.Outcome;
import io.tidemark.bench.measure.PairedBenchmark.Round;
import io.tidemark.bench.measure.Report;
import io.tidemark.bench.measure.Report.Goal;
import io.tidemark.features.model.Txn;
import io.tidemark.testkit.servers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What writes cost. All sides write the same features to the same server in turn: they are
 * inserted, updated, upserted when they are there, and deleted; new ones in each round. The server
 * waits for the disk. What it does once in a while, and for all, is done between the rounds:
 * vacuuming, which also empties the lists of the GIN keys, and checkpoints. Its log goes into files
 * that are there already, as on one that has been up for a while: filling a new one with zeros
 * takes whoever needs it first as long as a hundred features.
 */
final class WriteCosts {

  private static final Map<String, String> SETTINGS =
      Map.of(
          "fsync", "on",
          "synchronous_commit", "on",
          "full_page_writes", "on",
          "shared_buffers", "512MB",
          "max_wal_size", "8GB",
          "min_wal_size", "4GB",
          "checkpoint_timeout", "1h",
          "autovacuum", "off");

  private static final Goal INSERT = Goal.atMost(1.3);
  private static final Goal UPDATE = Goal.atMost(2.2);
  private static final Goal DELETE = Goal.atMost(1.1);
  private static final Goal ORIGINAL = Goal.atLeast(6);

  /** Features a CPU-second of the original's functions, and of bare inserts beside them. */
  private static final Map<WriteKind, Double> ORIGINALS =
      Map.of(
          WriteKind.INSERT,
          1_799.0,
          WriteKind.UPDATE,
          973.0,
          WriteKind.UPSERT,
          676.0,
          WriteKind.DELETE,
          649.0);

  private static final double ORIGINAL_BARE_INSERTS = 10_811;

  /**
   * Files of the log are made, and with the checkpoint after it they are there to be used again.
   */
  private static final String FILL_LOG =
      "SELECT pg_create_restore_point('bench'), pg_switch_wal() FROM generate_series(1, %d)";

  /** All sides together write some 30 kB for a feature, and a file has 16 MB. */
  private static final int FEATURES_A_FILE = 500;

  private final Path place;
  private final CollectionShape collectionShape;
  private final FeaturesScale scale;
  private final Report report;

  WriteCosts(Path place, CollectionShape collectionShape, FeaturesScale scale, Report report) {
    this.place = place;
    this.collectionShape = collectionShape;
    this.scale = scale;
    this.report = report;
  }

  /** What one kind of write took each side, round by round. */
  private record Costs(
      List<WriteCost> ours, List<WriteCost> bare, List<WriteCost> floor, List<WriteCost> scaled) {
    Costs() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }
  }

  void run() throws Exception {
    try (PostgresServer server = PostgresServer.start(place, SETTINGS)) {
      String url = server.createDatabase();
      try (TidemarkFeatureWriter tidemarkFeatureWriter =
          new TidemarkFeatureWriter(url, collectionShape)) {
        Txn today =
            tidemarkFeatureWriter.features().transact(TidemarkFeatureWriter.ALICE, tx -> tx.txn());
        try (BareFeatureWriter bareFeatureWriter =
                new BareFeatureWriter(tidemarkFeatureWriter.features(), url, collectionShape);
            HandWrittenFeatureWriter handWrittenFeatureWriter =
                new HandWrittenFeatureWriter(
                    tidemarkFeatureWriter.features(),
                    url,
                    collectionShape,
                    today.value() + 1_000_000);
            NineIndexFeatureWriter original =
                new NineIndexFeatureWriter(tidemarkFeatureWriter.features(), url)) {
          measure(
              List.of(tidemarkFeatureWriter, bareFeatureWriter, handWrittenFeatureWriter, original),
              url);
        }
      }
    }
  }

  private void measure(List<FeatureWriter> sides, String url) throws Exception {
    int number = 0;
    run(url, FILL_LOG.formatted(scale.written() / FEATURES_A_FILE));
    for (Batches batches : scale.batches()) {
      Map<WriteKind, Costs> costs = new EnumMap<>(WriteKind.class);
      run(url, "CHECKPOINT");
      for (int round = -1; round < scale.rounds(); round++) {
        // The others have deleted what they inserted.
        run(url, "TRUNCATE original");
        run(url, "VACUUM %s, bare, floor, original".formatted(TidemarkFeatureWriter.COLLECTION));
        Map<WriteKind, List<WriteCost>> found = round(sides, batches, number++);
        if (round >= 0) {
          found.forEach(
              (writeKind, of) -> add(costs.computeIfAbsent(writeKind, k -> new Costs()), of));
        }
      }
      boolean largest = batches.equals(scale.batches().get(scale.batches().size() - 1));
      report("server CPU a feature", batches, costs, WriteCost::cpuMicros, largest);
      report("by the clock", batches, costs, WriteCost::wallMicros, false);
    }
  }

  private static void run(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void add(Costs costs, List<WriteCost> found) {
    costs.ours().add(found.get(0));
    costs.bare().add(found.get(1));
    costs.floor().add(found.get(2));
    costs.scaled().add(found.get(3));
  }

  /** What each kind took each side, in the order of the sides. */
  private static Map<WriteKind, List<WriteCost>> round(
      List<FeatureWriter> sides, Batches batches, int number) throws Exception {
    int features = batches.size() * batches.count();
    List<SampleFeature> samples = SampleFeature.some(number, features);
    Map<WriteKind, List<WriteCost>> found = new EnumMap<>(WriteKind.class);
    int original = sides.size() - 1;
    WriteCost scaled = WriteCost.NOTHING;
    for (WriteKind writeKind : WriteKind.values()) {
      List<WriteCost> costs = new ArrayList<>();
      for (WriteCost writeCost : inTurn(sides, writeKind, batches, samples)) {
        costs.add(writeCost.each(features));
      }
      scaled = writeKind == WriteKind.INSERT ? costs.get(original) : scaled;
      costs.set(original, scaled);
      found.put(writeKind, costs);
    }
    return found;
  }

  /**
   * What one kind took each side. They take turns batch by batch, so that whatever else goes on at
   * the time falls on all; who begins changes.
   */
  private static WriteCost[] inTurn(
      List<FeatureWriter> sides, WriteKind writeKind, Batches batches, List<SampleFeature> samples)
      throws Exception {
    WriteCost[] costs = new WriteCost[sides.size()];
    long[] pids = new long[sides.size()];
    List<List<PreparedBatch>> steps = new ArrayList<>();
    for (FeatureWriter featureWriter : sides) {
      boolean left =
          featureWriter instanceof NineIndexFeatureWriter && writeKind != WriteKind.INSERT;
      costs[steps.size()] = WriteCost.NOTHING;
      pids[steps.size()] = featureWriter.pid();
      steps.add(left ? List.of() : steps(featureWriter, writeKind, batches, samples));
    }
    for (int n = 0; n < batches.count(); n++) {
      for (int turn = 0; turn < costs.length; turn++) {
        int side = (turn + n) % costs.length;
        if (n < steps.get(side).size()) {
          costs[side] = costs[side].plus(WriteCost.of(pids[side], steps.get(side).get(n)));
        }
      }
    }
    return costs;
  }

  private static List<PreparedBatch> steps(
      FeatureWriter featureWriter,
      WriteKind writeKind,
      Batches batches,
      List<SampleFeature> samples)
      throws Exception {
    List<PreparedBatch> steps = new ArrayList<>();
    for (int n = 0; n < batches.count(); n++) {
      steps.add(
          featureWriter.batch(
              writeKind, samples.subList(n * batches.size(), (n + 1) * batches.size())));
    }
    return steps;
  }

  private void report(
      String measure,
      Batches batches,
      Map<WriteKind, Costs> costs,
      ToDoubleFunction<WriteCost> of,
      boolean held) {
    String title = "%s, batches of %d, %s".formatted(collectionShape, batches.size(), measure);
    report.section(title, "bare");
    costs.forEach(
        (writeKind, c) ->
            report.compareTimes(
                name(writeKind), outcome(c.ours(), c.bare(), of), bare(writeKind, held)));
    report.section(title, "floor");
    costs.forEach(
        (writeKind, c) ->
            report.compareTimes(
                name(writeKind),
                outcome(c.ours(), c.floor(), of),
                Optional.of(DELETE).filter(goal -> held && writeKind == WriteKind.DELETE)));
    if (held) {
      report.section(title + ", as many times faster", "original");
      // Its figures are of one table, which is its usual shape; in leaves even the floor, which
      // writes the same rows by hand, isn't always six times as fast.
      Optional<Goal> goal =
          Optional.of(ORIGINAL).filter(g -> collectionShape == CollectionShape.TABLE);
      costs.forEach(
          (writeKind, c) ->
              report.compareSpeed(
                  name(writeKind), outcome(c.ours(), original(writeKind, c.scaled()), of), goal));
    }
  }

  private static Optional<Goal> bare(WriteKind writeKind, boolean held) {
    return switch (writeKind) {
      case INSERT -> Optional.of(INSERT).filter(goal -> held);
      case UPDATE -> Optional.of(UPDATE).filter(goal -> held);
      case UPSERT, DELETE -> Optional.empty();
    };
  }

  /** What the original would take here, if it is to bare inserts as it was there. */
  private static List<WriteCost> original(WriteKind writeKind, List<WriteCost> scaled) {
    double times = ORIGINAL_BARE_INSERTS / ORIGINALS.getOrDefault(writeKind, ORIGINAL_BARE_INSERTS);
    return scaled.stream()
        .map(
            writeCost ->
                new WriteCost(writeCost.cpuMicros() * times, writeCost.wallMicros() * times))
        .toList();
  }

  private static Outcome outcome(
      List<WriteCost> ours, List<WriteCost> peer, ToDoubleFunction<WriteCost> of) {
    List<Round> rounds = new ArrayList<>();
    for (int n = 0; n < ours.size(); n++) {
      rounds.add(new Round(of.applyAsDouble(ours.get(n)), of.applyAsDouble(peer.get(n))));
    }
    return new Outcome(rounds);
  }

  private static String name(WriteKind writeKind) {
    return writeKind.name().toLowerCase(Locale.ROOT);
  }
}
