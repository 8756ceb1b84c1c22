// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.internal.plan.Binding;
import io.tidemark.ledger.internal.plan.Executor;
import io.tidemark.ledger.internal.plan.Found;
import io.tidemark.ledger.internal.plan.Grouping;
import io.tidemark.ledger.internal.plan.Plan;
import io.tidemark.ledger.internal.plan.Sides;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.replica.OnReplica;
import io.tidemark.ledger.internal.replica.ReplicaExecutor;
import io.tidemark.ledger.internal.scan.Cursors;
import io.tidemark.ledger.internal.scan.ScanExecutor;
import io.tidemark.ledger.query.model.Cursor;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.Query;
import io.tidemark.ledger.query.model.Temporal;
import io.tidemark.ledger.query.model.Temporal.Moment;
import io.tidemark.ledger.query.plan.Stop;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.query.plan.Window.Shape;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.testkit.Seed;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * DuckDB and Java answer 20,000 random queries on random data alike. Most of them are on tables
 * that were filled from the Parquet files, a tenth on replicas, some on the files themselves.
 *
 * <p>What a failure prints, {@code -Dseed=}, replays it, as the smallest filter that still fails.
 */
class ExecutorsAgreeTest {

  private static final int WORLDS = 40;
  private static final int QUERIES = 500;
  private static final int ON_FILES = 10;
  private static final int WITH_REPLICA = 4;

  @TempDir private Path directory;

  @Test
  void bothExecutorsAnswerAlike() throws Exception {
    Seed seed = Seed.of("bothExecutorsAnswerAlike");
    RandomGenerator random = seed.random();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (DuckDbDatabase database = database()) {
      List<Future<Long>> worlds = new ArrayList<>();
      for (int i = 0; i < WORLDS; i++) {
        String name = "w" + i;
        long own = random.nextLong();
        boolean replica = i % (WORLDS / WITH_REPLICA) == 0;
        worlds.add(threads.submit(() -> world(database, name, new SplittableRandom(own), replica)));
      }
      long asked = 0;
      for (Future<Long> world : worlds) {
        asked += get(seed, world);
      }
      assertThat(asked).isGreaterThanOrEqualTo(20_000);
    } finally {
      threads.shutdownNow();
    }
  }

  private static long get(Seed seed, Future<Long> world) throws InterruptedException {
    try {
      return world.get();
    } catch (ExecutionException e) {
      throw new AssertionError(seed + ": " + e.getMessage(), e);
    }
  }

  /** One thread a query, since what is asked is small. */
  private DuckDbDatabase database() throws SQLException {
    DuckDbDatabase database = new DuckDbDatabase(directory.resolve("spill"), "1GB");
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET threads = 1");
    }
    return database;
  }

  private long world(
      DuckDbDatabase database, String name, RandomGenerator random, boolean withReplica)
      throws Exception {
    try (RandomWorld world = new RandomWorld(name, random)) {
      Executor tables =
          withReplica
              ? world.replica(directory, random)
              : new DuckDbExecutor(
                  database, world.tables(database, directory.resolve("files")), new Stop());
      Executor memory = new ScanExecutor(world.memoryRows());
      for (int i = 0; i < QUERIES; i++) {
        boolean onFiles = i % (QUERIES / ON_FILES) == 0;
        Executor duckDb =
            onFiles
                ? new DuckDbExecutor(
                    database, world.parquet(directory.resolve("files")), new Stop())
                : tables;
        Executor scan = onFiles ? new ScanExecutor(world.parquetRows()) : memory;
        TypeId type = world.types().get(random.nextInt(world.types().size()));
        Binding binding =
            onFiles && random.nextBoolean() ? world.oldBinding(type, random) : world.binding(type);
        ask(world, new Pair(duckDb, scan), random, binding, name + " query " + i);
      }
      return QUERIES;
    }
  }

  private record Pair(Executor duckDb, Executor scan) {

    Optional<String> difference(Plan plan) {
      try {
        return plan.grouping().isPresent()
            ? Answers.difference(scan.groups(plan), duckDb.groups(plan))
            : Answers.differenceOfRows(rows(scan, plan), rows(duckDb, plan));
      } catch (QueryFailedException e) {
        return Optional.of(String.valueOf(e.getMessage()));
      }
    }

    /** Whether rows of a plan are said to be of other versions of their schema. */
    Optional<String> differenceOfVersions(Plan plan) {
      TypeView self = plan.binding().self();
      SortedMap<Long, Long> versions = scan.versions(plan, self, plan.window());
      return versions.equals(duckDb.versions(plan, self, plan.window()))
          ? Optional.empty()
          : Optional.of("rows of other versions than " + versions);
    }

    String sql(Plan plan) {
      return duckDb instanceof ReplicaExecutor replica
          ? replica.onReplica(plan).map(OnReplica::sql).orElse("on files")
          : ((DuckDbExecutor) duckDb).sql(plan);
    }

    private static List<Found> rows(Executor executor, Plan plan) {
      try (Stream<Found> rows = executor.rows(plan)) {
        return rows.toList();
      }
    }
  }

  private static void ask(
      RandomWorld world, Pair pair, RandomGenerator random, Binding binding, String which) {
    RandomQueries queries = new RandomQueries(random, binding);
    Query query = queries.query().when(temporal(world, random));
    Window window = window(world, query.temporal());
    Optional<Grouping> grouping =
        random.nextInt(3) == 0 ? Optional.of(queries.grouping()) : Optional.empty();
    if (grouping.isEmpty()) {
      query = queries.paged(query);
      query = random.nextInt(5) == 0 ? continued(pair, query, window, binding, random) : query;
    }
    if (random.nextInt(50) == 0) {
      Plan plan = Plan.of(Query.of(query.type()), window, binding, Optional.empty());
      assertThat(pair.differenceOfVersions(plan)).as(which).isEmpty();
    }
    check(pair, query, plan -> Plan.of(plan, window, binding, grouping), which);
  }

  private interface Planner {
    Plan plan(Query query);
  }

  /** Looks for the smallest filter that still makes a difference, and tells it. */
  private static void check(Pair pair, Query query, Planner planner, String which) {
    Optional<String> difference = pair.difference(planner.plan(query));
    if (difference.isEmpty()) {
      return;
    }
    Filter smallest =
        Shrinking.smallest(
            query.filter(),
            filter -> pair.difference(planner.plan(with(query, filter))).isPresent());
    Plan plan = planner.plan(with(query, smallest));
    throw new AssertionError(
        which
            + " on "
            + query.type()
            + " "
            + query.temporal()
            + " "
            + query.orders()
            + " "
            + plan.grouping()
            + "\n  where "
            + smallest
            + "\n"
            + pair.difference(plan).orElse("")
            + "\n"
            + pair.sql(plan));
  }

  private static Query with(Query query, Filter filter) {
    return new Query(
        query.type(),
        filter,
        query.orders(),
        query.limit(),
        query.offset(),
        query.after(),
        query.temporal(),
        query.ends());
  }

  /** Goes on behind some row of the answer. */
  private static Query continued(
      Pair pair, Query query, Window window, Binding binding, RandomGenerator random) {
    Query whole = query.withEnds(Sides.ofOrder(query));
    Plan asked = Plan.of(whole, window, binding, Optional.empty());
    List<Found> rows = Pair.rows(pair.scan(), asked);
    if (rows.isEmpty()) {
      return query;
    }
    Found last = rows.get(random.nextInt(rows.size()));
    Cursor cursor = Cursors.of(asked, last, window.upper());
    return query.after(Cursor.decode(cursor.encoded()));
  }

  private static Temporal temporal(RandomWorld world, RandomGenerator random) {
    long commit = random.nextLong(-1, world.head() + 2);
    return switch (random.nextInt(6)) {
      case 0, 1 -> Temporal.LATEST;
      case 2, 3 -> Temporal.LATEST.asOf(new Moment.AtCommit(commit));
      case 4 -> Temporal.LATEST.since(random.nextLong(-1, world.head() + 2));
      default -> Temporal.LATEST.since(0).asOf(new Moment.AtCommit(commit));
    };
  }

  private static Window window(RandomWorld world, Temporal temporal) {
    long head = world.head();
    long upper =
        temporal.upTo() instanceof Moment.AtCommit at ? Math.min(Math.max(at.id(), 0), head) : head;
    return new Window(
        Math.max(0, temporal.historySince().orElse(0)),
        upper,
        temporal.isHistory() ? Shape.HISTORY : Shape.STATE);
  }
}
