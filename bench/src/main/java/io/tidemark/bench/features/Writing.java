// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.bench.features.FeaturesScale.Batches;
import io.tidemark.bench.features.Side.Step;
import io.tidemark.bench.measure.Duel.Outcome;
import io.tidemark.bench.measure.Duel.Round;
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
final class Writing {

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
  private static final Map<Kind, Double> ORIGINALS =
      Map.of(Kind.INSERT, 1_799.0, Kind.UPDATE, 973.0, Kind.UPSERT, 676.0, Kind.DELETE, 649.0);

  private static final double ORIGINAL_BARE_INSERTS = 10_811;

  /**
   * Files of the log are made, and with the checkpoint after it they are there to be used again.
   */
  private static final String FILL_LOG =
      "SELECT pg_create_restore_point('bench'), pg_switch_wal() FROM generate_series(1, %d)";

  /** All sides together write some 30 kB for a feature, and a file has 16 MB. */
  private static final int FEATURES_A_FILE = 500;

  private final Path place;
  private final Shape shape;
  private final FeaturesScale scale;
  private final Report report;

  Writing(Path place, Shape shape, FeaturesScale scale, Report report) {
    this.place = place;
    this.shape = shape;
    this.scale = scale;
    this.report = report;
  }

  /** What one kind of write took each side, round by round. */
  private record Costs(List<Cost> ours, List<Cost> bare, List<Cost> floor, List<Cost> scaled) {
    Costs() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }
  }

  void run() throws Exception {
    try (PostgresServer server = PostgresServer.start(place, SETTINGS)) {
      String url = server.createDatabase();
      try (Ours ours = new Ours(url, shape)) {
        Txn today = ours.features().transact(Ours.ALICE, tx -> tx.txn());
        try (Bare bare = new Bare(ours.features(), url, shape);
            Floor floor = new Floor(ours.features(), url, shape, today.value() + 1_000_000);
            OriginalKeys original = new OriginalKeys(ours.features(), url)) {
          measure(List.of(ours, bare, floor, original), url);
        }
      }
    }
  }

  private void measure(List<Side> sides, String url) throws Exception {
    int number = 0;
    run(url, FILL_LOG.formatted(scale.written() / FEATURES_A_FILE));
    for (Batches batches : scale.batches()) {
      Map<Kind, Costs> costs = new EnumMap<>(Kind.class);
      run(url, "CHECKPOINT");
      for (int round = -1; round < scale.rounds(); round++) {
        // The others have deleted what they inserted.
        run(url, "TRUNCATE original");
        run(url, "VACUUM %s, bare, floor, original".formatted(Ours.COLLECTION));
        Map<Kind, List<Cost>> found = round(sides, batches, number++);
        if (round >= 0) {
          found.forEach((kind, of) -> add(costs.computeIfAbsent(kind, k -> new Costs()), of));
        }
      }
      boolean largest = batches.equals(scale.batches().get(scale.batches().size() - 1));
      report("server CPU a feature", batches, costs, Cost::cpuMicros, largest);
      report("by the clock", batches, costs, Cost::wallMicros, false);
    }
  }

  private static void run(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void add(Costs costs, List<Cost> found) {
    costs.ours().add(found.get(0));
    costs.bare().add(found.get(1));
    costs.floor().add(found.get(2));
    costs.scaled().add(found.get(3));
  }

  /** What each kind took each side, in the order of the sides. */
  private static Map<Kind, List<Cost>> round(List<Side> sides, Batches batches, int number)
      throws Exception {
    int features = batches.size() * batches.count();
    List<Sample> samples = Sample.some(number, features);
    Map<Kind, List<Cost>> found = new EnumMap<>(Kind.class);
    int original = sides.size() - 1;
    Cost scaled = Cost.NOTHING;
    for (Kind kind : Kind.values()) {
      List<Cost> costs = new ArrayList<>();
      for (Cost cost : inTurn(sides, kind, batches, samples)) {
        costs.add(cost.each(features));
      }
      scaled = kind == Kind.INSERT ? costs.get(original) : scaled;
      costs.set(original, scaled);
      found.put(kind, costs);
    }
    return found;
  }

  /**
   * What one kind took each side. They take turns batch by batch, so that whatever else goes on at
   * the time falls on all; who begins changes.
   */
  private static Cost[] inTurn(List<Side> sides, Kind kind, Batches batches, List<Sample> samples)
      throws Exception {
    Cost[] costs = new Cost[sides.size()];
    long[] pids = new long[sides.size()];
    List<List<Step>> steps = new ArrayList<>();
    for (Side side : sides) {
      boolean left = side instanceof OriginalKeys && kind != Kind.INSERT;
      costs[steps.size()] = Cost.NOTHING;
      pids[steps.size()] = side.pid();
      steps.add(left ? List.of() : steps(side, kind, batches, samples));
    }
    for (int n = 0; n < batches.count(); n++) {
      for (int turn = 0; turn < costs.length; turn++) {
        int side = (turn + n) % costs.length;
        if (n < steps.get(side).size()) {
          costs[side] = costs[side].plus(Cost.of(pids[side], steps.get(side).get(n)));
        }
      }
    }
    return costs;
  }

  private static List<Step> steps(Side side, Kind kind, Batches batches, List<Sample> samples)
      throws Exception {
    List<Step> steps = new ArrayList<>();
    for (int n = 0; n < batches.count(); n++) {
      steps.add(side.batch(kind, samples.subList(n * batches.size(), (n + 1) * batches.size())));
    }
    return steps;
  }

  private void report(
      String measure,
      Batches batches,
      Map<Kind, Costs> costs,
      ToDoubleFunction<Cost> of,
      boolean held) {
    String title = "%s, batches of %d, %s".formatted(shape, batches.size(), measure);
    report.section(title, "bare");
    costs.forEach(
        (kind, c) ->
            report.compared(name(kind), outcome(c.ours(), c.bare(), of), bare(kind, held)));
    report.section(title, "floor");
    costs.forEach(
        (kind, c) ->
            report.compared(
                name(kind),
                outcome(c.ours(), c.floor(), of),
                Optional.of(DELETE).filter(goal -> held && kind == Kind.DELETE)));
    if (held) {
      report.section(title + ", as many times faster", "original");
      // Its figures are of one table, which is its usual shape; in leaves even the floor, which
      // writes the same rows by hand, isn't always six times as fast.
      Optional<Goal> goal = Optional.of(ORIGINAL).filter(g -> shape == Shape.TABLE);
      costs.forEach(
          (kind, c) ->
              report.spedUp(name(kind), outcome(c.ours(), original(kind, c.scaled()), of), goal));
    }
  }

  private static Optional<Goal> bare(Kind kind, boolean held) {
    return switch (kind) {
      case INSERT -> Optional.of(INSERT).filter(goal -> held);
      case UPDATE -> Optional.of(UPDATE).filter(goal -> held);
      case UPSERT, DELETE -> Optional.empty();
    };
  }

  /** What the original would take here, if it is to bare inserts as it was there. */
  private static List<Cost> original(Kind kind, List<Cost> scaled) {
    double times = ORIGINAL_BARE_INSERTS / ORIGINALS.getOrDefault(kind, ORIGINAL_BARE_INSERTS);
    return scaled.stream()
        .map(cost -> new Cost(cost.cpuMicros() * times, cost.wallMicros() * times))
        .toList();
  }

  private static Outcome outcome(List<Cost> ours, List<Cost> peer, ToDoubleFunction<Cost> of) {
    List<Round> rounds = new ArrayList<>();
    for (int n = 0; n < ours.size(); n++) {
      rounds.add(new Round(of.applyAsDouble(ours.get(n)), of.applyAsDouble(peer.get(n))));
    }
    return new Outcome(rounds);
  }

  private static String name(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
