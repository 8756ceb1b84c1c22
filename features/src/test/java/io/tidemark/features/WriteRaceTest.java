// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.Transaction;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several write the same features at once, in any order. */
@ExtendWith(ServerExtension.class)
class WriteRaceTest {

  private static final int WRITERS = 4;
  private static final int ROUNDS = 12;
  private static final int FEATURES = 40;

  private static final String INSERT = "INSERT INTO foo (jsondata) VALUES ('{\"id\": \"%s\"}')";

  /** What a batch has: creates, deletes, purges, replacements, upserts. */
  private static final List<String> KINDS =
      List.of("d", "u", "p", "cp", "up", "dp", "rc", "cdpru", "cdpru");

  /** Every state must follow from the one before: nothing lost, nothing twice. */
  private static final String BROKEN =
      """
      WITH states AS (
        SELECT jsondata->>'id' AS id, i, jsondata->'properties'->'@ns:com:here:xyz' AS xyz FROM %1$s
        UNION ALL
        SELECT jsondata->>'id', i, jsondata->'properties'->'@ns:com:here:xyz' FROM %1$s_hst)
      SELECT count(*) FROM states s WHERE s.xyz->>'action' <> 'CREATE' AND NOT EXISTS (
        SELECT FROM states p WHERE p.id = s.id AND p.xyz->>'uuid' = s.xyz->>'puuid'
          AND p.xyz->'txn_next' = s.xyz->'txn'
          AND (p.xyz->>'version')::int + 1 = (s.xyz->>'version')::int)
      """;

  /** Whoever replaces a state has a later number than who made it. */
  private static final String BACKWARDS =
      """
      SELECT count(*) FROM foo_hst WHERE (jsondata#>>'{properties,@ns:com:here:xyz,txn}')::bigint
        > (jsondata#>>'{properties,@ns:com:here:xyz,txn_next}')::bigint
      """;

  private static final String TWICE =
      "SELECT count(*) FROM foo_del d WHERE EXISTS (SELECT FROM foo h WHERE h.jsondata->>'id' ="
          + " d.jsondata->>'id')";

  /** Every state that people made is in one of the tables, or in two if it is of a deletion. */
  private static final String BY_PEOPLE =
      """
      SELECT count(DISTINCT i) FROM (
        SELECT * FROM foo UNION ALL SELECT * FROM foo_hst UNION ALL SELECT * FROM foo_del) AS s
      WHERE jsondata#>>'{properties,@ns:com:here:xyz,app_id}' = 'psql'
        AND jsondata#>>'{properties,@ns:com:here:xyz,action}' = '%s'
      """;

  @ParameterizedTest
  @ValueSource(strings = {"each once", "some several times"})
  void nobodyWaitsForEverAndEveryChainOfStatesIsWhole(String ids, PostgresServer server)
      throws SQLException {
    boolean once = ids.equals("each once");
    Seed seed = Seed.of("WriteRaceTest, " + ids);
    String url = server.createDatabase();
    FeaturesOptions patient = FeaturesOptions.defaults().withLockTimeout(Duration.ofSeconds(30));
    try (Psql psql = Psql.connect(url)) {
      String database = psql.value("SELECT current_database()");
      if (!once) {
        psql.run("ALTER DATABASE %s SET deadlock_timeout = '20ms'".formatted(database));
      }
      try (Features features = Features.open(url, "store", patient)) {
        features.transact(ALICE, tx -> tx.collections().create("foo", CollectionOptions.none()));
        race(features, seed.random(), once);
      }
      psql.run("SELECT pg_stat_clear_snapshot()");
      assertThat(psql.number(BROKEN.formatted("foo"))).as(seed.toString()).isZero();
      assertThat(psql.number(TWICE)).as(seed.toString()).isZero();
      if (once) {
        // A later round of the same transaction may meet features that others have made since.
        assertThat(psql.number(BACKWARDS)).as(seed.toString()).isZero();
        String count = "SELECT deadlocks FROM pg_stat_database WHERE datname = '%s'";
        assertThat(psql.number(count.formatted(database))).as(seed.toString()).isZero();
      }
    }
  }

  /**
   * What people have done beside writers is all there, and each statement is as good as a batch.
   */
  @Test
  void peopleWithPlainSqlWriteTheSameFeaturesAsBatches(PostgresServer server) throws SQLException {
    Seed seed = Seed.of("peopleWithPlainSqlWriteTheSameFeaturesAsBatches");
    RandomGenerator random = seed.random();
    String url = server.createDatabase();
    FeaturesOptions patient = FeaturesOptions.defaults().withLockTimeout(Duration.ofSeconds(30));
    try (Psql psql = Psql.connect(url)) {
      String database = psql.value("SELECT current_database()");
      psql.run("ALTER DATABASE %s SET deadlock_timeout = '20ms'".formatted(database));
      try (Features features = Features.open(url, "store", patient)) {
        features.transact(ALICE, tx -> tx.collections().create("foo", CollectionOptions.none()));
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        List<CompletableFuture<Map<String, Integer>>> people = new ArrayList<>();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int n = 0; n < WRITERS / 2; n++) {
          RandomGenerator own = new SplittableRandom(random.nextLong());
          people.add(CompletableFuture.supplyAsync(() -> person(url, own), threads));
          List<List<Write>> batches =
              IntStream.range(0, ROUNDS).mapToObj(round -> batch(random, true)).toList();
          writers.add(
              CompletableFuture.runAsync(() -> batches.forEach(b -> kept(features, b)), threads));
        }
        Map<String, Integer> done = new TreeMap<>();
        people.forEach(
            person -> person.join().forEach((action, n) -> done.merge(action, n, Integer::sum)));
        writers.forEach(CompletableFuture::join);
        threads.shutdown();

        assertThat(features.checker().check("foo").flaws()).as(seed.toString()).isEmpty();
        assertThat(done.keySet()).as(seed.toString()).containsExactly("CREATE", "DELETE", "UPDATE");
        for (Map.Entry<String, Integer> each : done.entrySet()) {
          assertThat(psql.number(BY_PEOPLE.formatted(each.getKey())))
              .as(each.getKey() + ", " + seed)
              .isEqualTo(each.getValue().longValue());
        }
      }
      assertThat(psql.number(BROKEN.formatted("foo"))).as(seed.toString()).isZero();
      assertThat(psql.number(TWICE)).as(seed.toString()).isZero();
    }
  }

  /** All that can be done of a batch, again if it lost against somebody with plain SQL. */
  private static void kept(Features features, List<Write> batch) {
    while (true) {
      try {
        features.transact(ALICE, tx -> tx.write("foo", batch));
        return;
      } catch (StorageUnavailableException e) {
        assertThat(e).hasMessageContaining("deadlock detected");
      }
    }
  }

  /** What somebody has committed: how many rows by what was done to them. */
  private static Map<String, Integer> person(String url, RandomGenerator random) {
    Map<String, Integer> committed = new TreeMap<>();
    try (Psql psql = Psql.connect(url)) {
      for (int round = 0; round < 2 * ROUNDS; round++) {
        Map<String, Integer> done = new TreeMap<>();
        psql.run("BEGIN", "SELECT naksha_tx_start('psql', 'bob')");
        try {
          for (int n = random.nextInt(3); n >= 0; n--) {
            statement(psql, random, done);
          }
          psql.run("COMMIT");
          done.forEach((action, n) -> committed.merge(action, n, Integer::sum));
        } catch (SQLException e) {
          assertThat(e.getSQLState()).as(e.toString()).isIn("40P01", "23505");
          psql.run("ROLLBACK");
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return committed;
  }

  /** On HEAD or on one of its leaves, for one feature or for several. */
  private static void statement(Psql psql, RandomGenerator random, Map<String, Integer> done)
      throws SQLException {
    String table = random.nextBoolean() ? "foo" : "foo_" + Integer.toHexString(random.nextInt(16));
    int first = random.nextInt(FEATURES);
    String ids =
        IntStream.range(0, 1 + random.nextInt(4))
            .mapToObj(n -> "'f" + (first + n * 7) % FEATURES + "'")
            .collect(Collectors.joining(", "));
    String where = " WHERE jsondata->>'id' IN (" + ids + ")";
    switch (random.nextInt(4)) {
      case 0 -> done.merge("DELETE", psql.change("DELETE FROM " + table + where), Integer::sum);
      case 1 -> {
        String missing =
            "INSERT INTO foo (jsondata) SELECT jsonb_build_object('id', n.id) FROM unnest(ARRAY[%s])"
                + " AS n(id) WHERE NOT EXISTS (SELECT FROM foo WHERE jsondata->>'id' = n.id)";
        done.merge("CREATE", psql.change(missing.formatted(ids)), Integer::sum);
      }
      default -> {
        String update =
            "UPDATE %s SET jsondata = jsonb_set(jsondata, '{properties,n}', '%d')%s"
                .formatted(table, random.nextInt(1_000), where);
        done.merge("UPDATE", psql.change(update), Integer::sum);
      }
    }
  }

  /** Somebody locks features one by one, from the last to the first; batches go the other way. */
  @Test
  void batchesGetOnWithPlainSqlThatGoesTheOtherWay(PostgresServer server) throws SQLException {
    String url = server.createDatabase();
    FeaturesOptions patient = FeaturesOptions.defaults().withLockTimeout(Duration.ofSeconds(30));
    List<Write> writes =
        IntStream.range(0, FEATURES)
            .mapToObj(n -> Write.upsert(Feature.parse("{\"id\": \"f%02d\"}".formatted(n))))
            .toList();
    try (Psql psql = Psql.connect(url)) {
      String database = psql.value("SELECT current_database()");
      psql.run("ALTER DATABASE %s SET deadlock_timeout = '20ms'".formatted(database));
    }
    // It counts for those who connect from now on.
    try (Psql psql = Psql.connect(url);
        Features features = Features.open(url, "store", patient)) {
      features.transact(ALICE, tx -> tx.collections().create("foo", CollectionOptions.none()));
      features.write(ALICE, "foo", writes);

      CompletableFuture<Void> batches =
          CompletableFuture.runAsync(
              () -> {
                for (int n = 0; n < 5; n++) {
                  assertThat(features.write(ALICE, "foo", writes).done()).isTrue();
                }
              });
      for (int n = 0; n < 5; n++) {
        backwards(psql);
      }
      batches.join();

      assertThat(features.checker().check("foo").flaws()).isEmpty();
    }
  }

  @Test
  void whoWaitsForAFeatureThatIsDeletedAndCreatedAnewFindsTheNewOne(PostgresServer server)
      throws SQLException {
    String url = server.createDatabase();
    FeaturesOptions patient = FeaturesOptions.defaults().withLockTimeout(Duration.ofSeconds(30));
    try (Psql psql = Psql.connect(url);
        Features features = Features.open(url, "store", patient)) {
      features.transact(ALICE, tx -> tx.collections().create("foo", CollectionOptions.none()));
      List<Write> anew = new ArrayList<>();
      for (String id : List.of("d", "m", "p", "u")) {
        features.write(ALICE, "foo", List.of(create(id)));
        anew.add(Write.delete(id));
        anew.add(create(id));
      }
      List<CompletableFuture<BatchResult>> waiting = new ArrayList<>();
      ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
      try (Transaction first = features.begin(ALICE)) {
        assertThat(first.write("foo", anew).done()).isTrue();
        for (List<Write> writes :
            List.of(
                List.of(Write.delete("d")),
                List.of(Write.delete("m"), create("new")),
                List.of(Write.purge("p")),
                List.of(Write.update(Feature.parse("{\"id\": \"u\"}"))))) {
          waiting.add(
              CompletableFuture.supplyAsync(() -> features.write(ALICE, "foo", writes), threads));
        }
        psql.awaitWaiting(waiting.size());
        first.commit();
      } finally {
        threads.shutdown();
      }

      assertThat(waiting)
          .extracting(answer -> answer.join().rows().get(0).getClass().getSimpleName())
          .containsExactly("Deleted", "Deleted", "Purged", "Updated");
      assertThat(features.checker().check("foo").flaws()).isEmpty();
    }
  }

  @Test
  void aCircleIsFoundBeforeAnybodyHasWaitedForTooLong(PostgresServer server) throws SQLException {
    String url = server.createDatabase();
    try (Psql psql = Psql.connect(url);
        Features features = Features.open(url, "store")) {
      features.transact(ALICE, tx -> tx.collections().create("foo", CollectionOptions.none()));
      features.write(ALICE, "foo", List.of(create("a"), create("b")));
      List<Write> both =
          Stream.of("a", "b")
              .map(id -> Write.update(Feature.parse("{\"id\": \"%s\"}".formatted(id))))
              .toList();
      String update = "UPDATE foo SET jsondata = jsondata WHERE jsondata->>'id' = '%s'";
      psql.run("BEGIN", "SELECT naksha_tx_start('psql', 'bob')", update.formatted("b"));
      CompletableFuture<BatchResult> batch =
          CompletableFuture.supplyAsync(() -> features.write(ALICE, "foo", both));
      try (Psql watch = Psql.connect(url)) {
        watch.awaitWaiting(1);
      }
      try {
        psql.run(update.formatted("a"), "COMMIT");
      } catch (SQLException e) {
        assertThat(e.getSQLState()).as("it lost against the batch").isEqualTo("40P01");
        psql.run("ROLLBACK");
      }

      assertThat(batch.join().done()).isTrue();
    }
  }

  /** The batch is held until somebody waits for what it has deleted, and then meets a circle. */
  @Test
  void whoGivesInGivesBackWhatItHasDeleted(PostgresServer server) throws SQLException {
    String url = server.createDatabase();
    FeaturesOptions patient = FeaturesOptions.defaults().withLockTimeout(Duration.ofSeconds(30));
    try (Psql psql = Psql.connect(url)) {
      String database = psql.value("SELECT current_database()");
      psql.run("ALTER DATABASE %s SET deadlock_timeout = '20ms'".formatted(database));
    }
    try (Psql bob = Psql.connect(url);
        Psql gate = Psql.connect(url);
        Features features = Features.open(url, "store", patient)) {
      features.transact(ALICE, tx -> tx.collections().create("foo", CollectionOptions.none()));
      features.write(ALICE, "foo", List.of(create("b")));
      gate.run(
          "CREATE FUNCTION held() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN"
              + " PERFORM pg_advisory_xact_lock(7); RETURN NULL; END$$",
          "CREATE TRIGGER held AFTER DELETE ON foo EXECUTE FUNCTION held()",
          "SELECT pg_advisory_lock(7)");
      bob.run("SET deadlock_timeout = '1h'", "BEGIN", "SELECT naksha_tx_start('psql', 'bob')");
      bob.run(INSERT.formatted("a"));
      List<Write> rounds =
          List.of(Write.delete("a"), Write.delete("b"), create("a"), create("b"), create("c"));
      CompletableFuture<BatchResult> batch =
          CompletableFuture.supplyAsync(
              () -> features.transact(ALICE, tx -> tx.write("foo", rounds)), Psql.OWN_THREADS);
      gate.awaitWaiting(1);
      CompletableFuture<Psql> insert =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return bob.run(INSERT.formatted("b") + " ON CONFLICT DO NOTHING", "COMMIT");
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              },
              Psql.OWN_THREADS);
      gate.awaitWaiting(2);
      gate.run("SELECT pg_advisory_unlock(7)");

      assertThat(insert.join()).isSameAs(bob);
      assertThat(batch.join().rows())
          .extracting(row -> row.getClass().getSimpleName())
          .containsExactly("Deleted", "Deleted", "Created", "Created", "Created");
      assertThat(features.checker().check("foo").flaws()).isEmpty();
    }
  }

  private static Write create(String id) {
    return Write.create(Feature.parse("{\"id\": \"%s\"}".formatted(id)));
  }

  private static void backwards(Psql psql) throws SQLException {
    psql.run("BEGIN", "SELECT naksha_tx_start('psql', 'bob')");
    try {
      for (int n = FEATURES - 1; n >= 0; n--) {
        String id = "f%02d".formatted(n);
        psql.run("UPDATE foo SET jsondata = jsondata WHERE jsondata->>'id' = '%s'".formatted(id));
      }
      psql.run("COMMIT");
    } catch (SQLException e) {
      assertThat(e.getSQLState()).as("it lost against a batch").isEqualTo("40P01");
      psql.run("ROLLBACK");
    }
  }

  private static void race(Features features, RandomGenerator random, boolean once) {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try {
      List<CompletableFuture<Void>> writers = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        List<List<Write>> batches =
            IntStream.range(0, ROUNDS).mapToObj(n -> batch(random, once)).toList();
        // Half of them do all that can be done of a batch, the others all or nothing.
        Consumer<List<Write>> write =
            writer % 2 == 0
                ? batch -> features.transact(ALICE, tx -> tx.write("foo", batch))
                : batch -> features.write(ALICE, "foo", batch);
        writers.add(CompletableFuture.runAsync(() -> batches.forEach(write), threads));
      }
      writers.forEach(CompletableFuture::join);
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * Many of a kind are done in other ways than few, and features that are there are met before
   * deletion copies are; so there are batches of one kind and of two, and small ones. Those that
   * have features several times are large, so that all of them do.
   */
  private static List<Write> batch(RandomGenerator random, boolean once) {
    List<Write> writes = new ArrayList<>();
    String kinds = KINDS.get(random.nextInt(KINDS.size()));
    int first = random.nextInt(FEATURES);
    int step = random.nextBoolean() ? 1 : FEATURES - 1;
    int size = !once || random.nextBoolean() ? FEATURES - 3 : 2 + random.nextInt(5);
    for (int n = 0; n < size; n++) {
      String id = "f" + (once ? (first + n * step) % FEATURES : random.nextInt(FEATURES));
      Feature feature =
          Feature.parse("{\"id\": \"%s\", \"properties\": {\"n\": %d}}".formatted(id, n));
      writes.add(
          switch (kinds.charAt(random.nextInt(kinds.length()))) {
            case 'c' -> Write.create(feature);
            case 'd' -> Write.delete(id);
            case 'p' -> Write.purge(id);
            case 'r' -> Write.update(feature);
            default -> Write.upsert(feature);
          });
    }
    return writes;
  }
}
