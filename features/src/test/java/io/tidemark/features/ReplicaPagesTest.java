// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Txn;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.FeatureQueryPage;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Pages of an answer that come from several servers, and servers that can't give any. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicaPagesTest {

  private PostgresServer primary;
  private PostgresServer replica;
  private TestStorage storage;
  private Psql held;

  @BeforeAll
  void start() {
    primary = PostgresServer.start(Map.of("synchronous_commit", "on"));
    storage = TestStorage.in(primary);
    replica = primary.startReplica();
    held = Psql.connect(replica.urlHere(storage.url));
  }

  @AfterAll
  void stop() {
    held.close();
    replica.close();
    storage.close();
    primary.close();
  }

  private void pause() throws SQLException {
    held.run("SELECT pg_wal_replay_pause()");
    while (!held.value("SELECT pg_get_wal_replay_pause_state()").equals("paused")) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void resume() throws SQLException {
    held.run("SELECT pg_wal_replay_resume()");
  }

  /** Waits until the replica has all that was committed. */
  private void catchUp() throws SQLException {
    String last;
    try (Psql other = Psql.connect(storage.url)) {
      last = other.value("SELECT pg_current_wal_flush_lsn()");
    }
    while (held.value("SELECT pg_last_wal_replay_lsn() >= '%s'".formatted(last)).equals("f")) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private Features following() {
    return following(storage.url);
  }

  private Features following(String url) {
    List<String> replicas = List.of(replica.urlHere(url));
    return Features.open(
        url,
        "store",
        FeaturesOptions.defaults().withReplicas(replicas).withReplicaPatience(Duration.ZERO));
  }

  /** An answer, and how many servers were asked for it. */
  private record Answer(List<String> ids, Optional<String> next, int servers) {}

  private static Answer ask(Features features, FeatureQuery query) {
    AtomicInteger servers = new AtomicInteger();
    FeatureQueryPage featurePage =
        features.read(
            readTransaction -> {
              servers.incrementAndGet();
              return readTransaction.query(query);
            });
    List<String> ids = featurePage.features().stream().map(f -> f.id().orElseThrow()).toList();
    return new Answer(ids, featurePage.next(), servers.get());
  }

  private static String insert(String collection, String id) {
    return "INSERT INTO \"%s\" (jsondata) VALUES ('{\"id\": \"%s\"}')".formatted(collection, id);
  }

  @Test
  void aPageIsNotReadFromAReplicaThatLacksWhatTheFirstWasMadeOf() throws SQLException {
    String collection = storage.small();
    catchUp();
    FeatureQuery query = FeatureQuery.from(collection).limit(1).build();
    try (Features features = following()) {
      pause();
      storage.put(collection, "{\"id\": \"a\"}", "{\"id\": \"b\"}");
      Answer first = ask(storage.features, query);
      FeatureQuery rest = query.after(first.next().orElseThrow());

      assertThat(ask(features, rest).ids()).containsExactly("b");
      assertThat(ask(features, rest).servers()).as("also the primary").isEqualTo(2);

      resume();
      catchUp();
      assertThat(ask(features, rest)).isEqualTo(new Answer(List.of("b"), Optional.empty(), 1));
    } finally {
      resume();
    }
  }

  @Test
  void aReplicaLacksWhatEndedLaterThanItBeganEvenIfItHasYoungerTransactions() throws SQLException {
    String collection = storage.small();
    FeatureQuery query = FeatureQuery.from(collection).limit(1).build();
    try (Features features = following();
        Psql old = Psql.connect(storage.url);
        Psql middle = Psql.connect(storage.url)) {
      old.run("BEGIN", "SELECT pg_current_xact_id()");
      middle.run("BEGIN", "SELECT naksha_tx_start('app', 'm')", insert(collection, "b"));
      storage.put(collection, "{\"id\": \"a\"}");
      catchUp();
      pause();
      middle.run("COMMIT");
      Answer first = ask(storage.features, query);

      Answer second = ask(features, query.after(first.next().orElseThrow()));

      old.run("ROLLBACK");
      assertThat(first.ids()).containsExactly("a");
      assertThat(second).isEqualTo(new Answer(List.of("b"), Optional.empty(), 2));
    } finally {
      resume();
    }
  }

  @Test
  void pagesThatBeganOnAReplicaDoNotShowWhatWasUnderWayThen() throws SQLException {
    String collection = storage.small();
    FeatureQuery query = FeatureQuery.from(collection).limit(1).build();
    try (Features features = following();
        Psql open = Psql.connect(storage.url)) {
      open.run("BEGIN", "SELECT naksha_tx_start('app', 'o')", insert(collection, "b"));
      storage.put(collection, "{\"id\": \"a\"}", "{\"id\": \"c\"}");
      catchUp();
      Answer first = ask(features, query);
      open.run("COMMIT");
      catchUp();

      FeatureQuery rest = query.after(first.next().orElseThrow());
      assertThat(first.servers()).as("the replica alone").isEqualTo(1);
      assertThat(ask(features, rest)).isEqualTo(new Answer(List.of("c"), Optional.empty(), 1));
      assertThat(ask(storage.features, rest).ids()).as("on the primary").containsExactly("c");
    }
  }

  @Test
  void aReplicaThatCannotTellWhatIsUnderWayLeavesTheFirstPageToThePrimary() throws SQLException {
    String collection = storage.small();
    storage.put(collection, "{\"id\": \"a\"}", "{\"id\": \"b\"}");
    FeatureQuery query = FeatureQuery.from(collection).build();
    try (Features features = following();
        Psql open = Psql.connect(storage.url);
        Psql many = Psql.connect(storage.url)) {
      open.run("BEGIN", "SELECT pg_current_xact_id()");
      many.run(
          "SET synchronous_commit = off",
          "DO 'BEGIN FOR n IN 1..10001 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END'");
      storage.put(collection, "{\"id\": \"c\"}");
      catchUp();

      Answer first = ask(features, FeatureQuery.from(collection).limit(1).build());

      assertThat(ask(features, query).servers()).as("no handle is needed").isEqualTo(1);
      assertThat(first.ids()).containsExactly("a");
      assertThat(first.servers()).isEqualTo(2);
      open.run("ROLLBACK");
    }
  }

  @Test
  void aReplicaThatDoesNotHaveTheStorageYetIsPassedOverAndKeepsNoConnection() throws SQLException {
    String url = primary.createDatabase();
    catchUp();
    pause();
    try (Features features = following(url);
        Psql there = Psql.connect(replica.urlHere(url))) {
      features.transact(ALICE, tx -> tx.collections().create("c", CollectionOptions.none()));
      List<Feature> before = features.read(r -> r.byIds("c", List.of("a")));
      assertThat(before).as("by the primary").isEmpty();
      Txn written =
          features.transact(
              ALICE,
              tx -> {
                tx.write("c", List.of(Write.create(Feature.parse("{\"id\": \"a\"}"))));
                return tx.txn();
              });
      List<Feature> since = features.readSince(written, r -> r.byIds("c", List.of("a")));
      assertThat(since).hasSize(1);
      List<Feature> now = features.read(r -> r.byIds("c", List.of("a")));
      assertThat(now).hasSize(1);
      assertThat(
              there.number(
                  "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                      + " AND state LIKE 'idle in transaction%'"))
          .isZero();
    } finally {
      resume();
    }
  }
}
