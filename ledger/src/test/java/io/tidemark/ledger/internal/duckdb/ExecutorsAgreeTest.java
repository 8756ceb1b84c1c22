// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.internal.plan.Binding;
import io.tidemark.ledger.internal.plan.Grouping;
import io.tidemark.ledger.internal.plan.MatchedRow;
import io.tidemark.ledger.internal.plan.QueryExecutor;
import io.tidemark.ledger.internal.plan.QueryPlan;
import io.tidemark.ledger.internal.plan.ReferencedSides;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.replica.ReplicaExecutor;
import io.tidemark.ledger.internal.replica.ReplicaExplanation;
import io.tidemark.ledger.internal.scan.CursorFactory;
import io.tidemark.ledger.internal.scan.ScanExecutor;
import io.tidemark.ledger.query.model.Cursor;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.Query;
import io.tidemark.ledger.query.model.TemporalScope;
import io.tidemark.ledger.query.model.TemporalScope.Moment;
import io.tidemark.ledger.query.plan.CancellationToken;
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
    try (RandomLedger world = new RandomLedger(name, random)) {
      QueryExecutor tables =
          withReplica
              ? world.replica(directory, random)
              : new DuckDbExecutor(
                  database,
                  world.tables(database, directory.resolve("files")),
                  new CancellationToken());
      QueryExecutor memory = new ScanExecutor(world.memoryRows());
      for (int i = 0; i < QUERIES; i++) {
        boolean onFiles = i % (QUERIES / ON_FILES) == 0;
        QueryExecutor duckDb =
            onFiles
                ? new DuckDbExecutor(
                    database, world.parquet(directory.resolve("files")), new CancellationToken())
                : tables;
        QueryExecutor scan = onFiles ? new ScanExecutor(world.parquetRows()) : memory;
        TypeId type = world.types().get(random.nextInt(world.types().size()));
        Binding binding =
            onFiles && random.nextBoolean() ? world.oldBinding(type, random) : world.binding(type);
        ask(world, new Pair(duckDb, scan), random, binding, name + " query " + i);
      }
      return QUERIES;
    }
  }

  private record Pair(QueryExecutor duckDb, QueryExecutor scan) {

    Optional<String> difference(QueryPlan queryPlan) {
      try {
        return queryPlan.grouping().isPresent()
            ? ResultComparison.difference(scan.groups(queryPlan), duckDb.groups(queryPlan))
            : ResultComparison.differenceOfRows(rows(scan, queryPlan), rows(duckDb, queryPlan));
      } catch (QueryFailedException e) {
        return Optional.of(String.valueOf(e.getMessage()));
      }
    }

    /** Whether rows of a plan are said to be of other versions of their schema. */
    Optional<String> differenceOfVersions(QueryPlan queryPlan) {
      TypeView self = queryPlan.binding().self();
      SortedMap<Long, Long> versions = scan.versions(queryPlan, self, queryPlan.window());
      return versions.equals(duckDb.versions(queryPlan, self, queryPlan.window()))
          ? Optional.empty()
          : Optional.of("rows of other versions than " + versions);
    }

    String sql(QueryPlan queryPlan) {
      return duckDb instanceof ReplicaExecutor replica
          ? replica.explain(queryPlan).map(ReplicaExplanation::sql).orElse("on files")
          : ((DuckDbExecutor) duckDb).sql(queryPlan);
    }

    private static List<MatchedRow> rows(QueryExecutor queryExecutor, QueryPlan queryPlan) {
      try (Stream<MatchedRow> rows = queryExecutor.rows(queryPlan)) {
        return rows.toList();
      }
    }
  }

  private static void ask(
      RandomLedger world, Pair pair, RandomGenerator random, Binding binding, String which) {
    RandomQueries queries = new RandomQueries(random, binding);
    Query query = queries.query().withTemporal(temporal(world, random));
    Window window = window(world, query.temporal());
    Optional<Grouping> grouping =
        random.nextInt(3) == 0 ? Optional.of(queries.grouping()) : Optional.empty();
    if (grouping.isEmpty()) {
      query = queries.paged(query);
      query = random.nextInt(5) == 0 ? continued(pair, query, window, binding, random) : query;
    }
    if (random.nextInt(50) == 0) {
      QueryPlan queryPlan = QueryPlan.of(Query.of(query.type()), window, binding, Optional.empty());
      assertThat(pair.differenceOfVersions(queryPlan)).as(which).isEmpty();
    }
    check(pair, query, plan -> QueryPlan.of(plan, window, binding, grouping), which);
  }

  private interface Planner {
    QueryPlan plan(Query query);
  }

  /** Looks for the smallest filter that still makes a difference, and tells it. */
  private static void check(Pair pair, Query query, Planner planner, String which) {
    Optional<String> difference = pair.difference(planner.plan(query));
    if (difference.isEmpty()) {
      return;
    }
    Filter smallest =
        FilterShrinker.smallest(
            query.filter(),
            filter -> pair.difference(planner.plan(with(query, filter))).isPresent());
    QueryPlan queryPlan = planner.plan(with(query, smallest));
    throw new AssertionError(
        which
            + " on "
            + query.type()
            + " "
            + query.temporal()
            + " "
            + query.orders()
            + " "
            + queryPlan.grouping()
            + "\n  where "
            + smallest
            + "\n"
            + pair.difference(queryPlan).orElse("")
            + "\n"
            + pair.sql(queryPlan));
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
    Query whole = query.withEnds(ReferencedSides.ofOrder(query));
    QueryPlan asked = QueryPlan.of(whole, window, binding, Optional.empty());
    List<MatchedRow> rows = Pair.rows(pair.scan(), asked);
    if (rows.isEmpty()) {
      return query;
    }
    MatchedRow last = rows.get(random.nextInt(rows.size()));
    Cursor cursor = CursorFactory.of(asked, last, window.upper());
    return query.after(Cursor.decode(cursor.encoded()));
  }

  private static TemporalScope temporal(RandomLedger world, RandomGenerator random) {
    long commit = random.nextLong(-1, world.head() + 2);
    return switch (random.nextInt(6)) {
      case 0, 1 -> TemporalScope.LATEST;
      case 2, 3 -> TemporalScope.LATEST.asOf(new Moment.AtCommit(commit));
      case 4 -> TemporalScope.LATEST.since(random.nextLong(-1, world.head() + 2));
      default -> TemporalScope.LATEST.since(0).asOf(new Moment.AtCommit(commit));
    };
  }

  private static Window window(RandomLedger world, TemporalScope temporalScope) {
    long head = world.head();
    long upper =
        temporalScope.upTo() instanceof Moment.AtCommit at
            ? Math.min(Math.max(at.id(), 0), head)
            : head;
    return new Window(
        Math.max(0, temporalScope.historySince().orElse(0)),
        upper,
        temporalScope.isHistory() ? Shape.HISTORY : Shape.STATE);
  }
}
