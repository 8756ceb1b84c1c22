// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.features.db.JdbcUrl;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.model.StorageUnusableException;
import io.tidemark.features.model.Txn;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.read.ReadTransaction;
import io.tidemark.features.read.Slice;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads go to servers that follow the primary; one of them can be held back here. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicasTest {

  /** Nobody listens there. */
  private static final String NOBODY = "jdbc:postgresql://127.0.0.1:1/db?user=me";

  private PostgresServer primary;
  private PostgresServer replica;
  private String url = "";
  private Psql held;

  @BeforeAll
  void start() throws SQLException {
    primary = PostgresServer.start(Map.of("synchronous_commit", "on"));
    url = primary.createDatabase();
    try (Features features = Features.open(url, "store")) {
      features.transact(ALICE, tx -> tx.collections().create("foo", CollectionOptions.none()));
    }
    replica = primary.startReplica();
    held = Psql.connect(replica.urlHere(url));
  }

  @AfterAll
  void stop() {
    held.close();
    replica.close();
    primary.close();
  }

  private Features open(Duration patience, String... replicas) {
    return Features.open(
        url,
        "store",
        FeaturesOptions.defaults().withReplicas(List.of(replicas)).withReplicaPatience(patience));
  }

  private static Txn create(Features features, String id) {
    return features.transact(
        ALICE,
        tx -> {
          tx.write("foo", List.of(Write.create(Feature.parse("{\"id\": \"%s\"}".formatted(id)))));
          return tx.txn();
        });
  }

  private static Optional<Feature> now(Features features, String id) {
    return features.read(r -> r.byId("foo", id));
  }

  private static Optional<Feature> since(Features features, Txn transaction, String id) {
    return features.readSince(transaction, r -> r.byId("foo", id));
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

  @Test
  void aReadThatNeedsNothingNewIsAnsweredByTheReplicaAsFarAsItIs() throws SQLException {
    try (Features features = open(Duration.ofSeconds(30), replica.urlHere(url))) {
      Txn first = create(features, "a1");
      assertThat(since(features, first, "a1")).isPresent();

      pause();
      create(features, "a2");
      assertThat(now(features, "a2")).as("the replica is behind").isEmpty();
      assertThat(since(features, first, "a2")).as("still").isEmpty();
    } finally {
      resume();
    }
  }

  @Test
  void whoAsksForWhatTheReplicaDoesNotHaveInTimeIsAnsweredByThePrimary() throws SQLException {
    try (Features features = open(Duration.ofMillis(100), replica.urlHere(url))) {
      pause();
      Txn written = create(features, "b1");

      assertThat(since(features, written, "b1")).isPresent();
      assertThat(now(features, "b1")).as("the replica is behind").isEmpty();
    } finally {
      resume();
    }
  }

  @Test
  void aReadWaitsForAReplicaThatCatchesUp() throws Exception {
    try (Features features = open(Duration.ofSeconds(30), replica.urlHere(url))) {
      pause();
      Txn written = create(features, "c1");
      Thread reader = new Thread(() -> assertThat(since(features, written, "c1")).isPresent());
      reader.start();
      String asked =
          "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'tidemark'"
              + " AND query LIKE '%naksha_tx%'";
      while (held.number(asked) == 0) {
        LockSupport.parkNanos(1_000_000);
      }
      assertThat(reader.isAlive()).isTrue();
      resume();
      reader.join();
    } finally {
      resume();
    }
  }

  @Test
  void oneThatIsDownIsPassedOver() {
    try (Features features = open(Duration.ofSeconds(1), NOBODY, replica.urlHere(url), NOBODY)) {
      Txn written = create(features, "d1");
      for (int n = 0; n < 6; n++) {
        assertThat(since(features, written, "d1")).isPresent();
      }
    }
    try (Features features = open(Duration.ofSeconds(1), NOBODY)) {
      assertThat(now(features, "d1")).as("by the primary").isPresent();
    }
  }

  /** Of an empty one nobody knows that it isn't late, unless it follows no other. */
  @ParameterizedTest
  @ValueSource(strings = {"empty", "another", "copy"})
  void aDatabaseThatFollowsNobodyIsRefused(String what) {
    String other =
        what.equals("copy")
            ? primary.copyByDump(url, PostgresServer.Dump.CUSTOM)
            : primary.createDatabase();
    if (what.equals("another")) {
      Features.open(other, "store").close();
    }
    try (Features features = open(Duration.ofSeconds(1), other)) {
      assertThatThrownBy(() -> now(features, "h1"))
          .isInstanceOf(StorageUnusableException.class)
          .hasMessageContaining(JdbcUrl.parse(other) + " is no replica of " + JdbcUrl.parse(url));
    }
  }

  @Test
  void oneThatFollowsAnotherStorageIsPassedOver() throws SQLException {
    String other = primary.createDatabase();
    Features.open(other, "store").close();
    try (Psql psql = Psql.connect(url)) {
      String all = psql.value("SELECT pg_current_wal_lsn()");
      while (held.value("SELECT pg_last_wal_replay_lsn() >= '%s'".formatted(all)).equals("f")) {
        LockSupport.parkNanos(1_000_000);
      }
    }
    try (Features features = open(Duration.ofSeconds(1), replica.urlHere(other))) {
      create(features, "k1");
      assertThat(now(features, "k1")).as("by the primary").isPresent();
    }
  }

  /** The moment of a read that has begun stays one of a replica. */
  @Test
  void oneThatIsPromotedIsRefused() throws SQLException {
    try (PostgresServer other = primary.startReplica();
        Psql psql = Psql.connect(other.urlHere(url));
        Features features = open(Duration.ofSeconds(30), other.urlHere(url))) {
      Txn written = create(features, "l1");
      AtomicInteger attempts = new AtomicInteger();
      Function<ReadTransaction, Slice<Feature>> work =
          r -> {
            assertThat(r.byId("foo", "l1")).isPresent();
            if (attempts.incrementAndGet() == 1) {
              promote(psql);
            }
            return r.versions("foo", "l1", Optional.of("-1"), 1);
          };

      assertThatThrownBy(() -> features.readSince(written, work))
          .isInstanceOf(InvalidRequestException.class);
      assertThat(attempts).as("again, on the primary").hasValue(2);
      assertThatThrownBy(() -> now(features, "l1"))
          .isInstanceOf(StorageUnusableException.class)
          .hasMessageContaining("is no replica of");
    }
  }

  private static void promote(Psql psql) {
    try {
      assertThat(psql.value("SELECT pg_promote()")).isEqualTo("t");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void aStorageWithoutOneIdentityIsUnusable(int rows) throws SQLException {
    String other = primary.createDatabase();
    Features.open(other, "store").close();
    try (Psql psql = Psql.connect(other)) {
      psql.run(
          rows == 0 ? "DELETE FROM naksha_identity" : "INSERT INTO naksha_identity DEFAULT VALUES");
    }
    FeaturesOptions options = FeaturesOptions.defaults().withReplicas(List.of(NOBODY));
    assertThatThrownBy(() -> Features.open(other, "store", options))
        .isInstanceOf(StorageUnusableException.class)
        .hasMessageContaining("naksha_identity of the schema public has %d rows", rows);
  }

  @Test
  void theSameDatabaseByAnotherAddressIsAsGoodAsAReplica() {
    try (Features features = open(Duration.ofSeconds(1), url + "&ApplicationName=other")) {
      create(features, "i1");
      assertThat(now(features, "i1")).isPresent();
    }
  }

  @Test
  void readsTakeTurnsAndNeverUseUpANumber() throws SQLException {
    String read =
        "SELECT pg_last_wal_replay_lsn() IS NOT NULL AND count(*) = 2 FROM pg_stat_activity"
            + " WHERE application_name = 'tidemark' AND datname = current_database()";
    try (Features features =
        open(Duration.ofSeconds(30), replica.urlHere(url), replica.urlHere(url))) {
      Txn before = create(features, "e1");
      for (int n = 0; n < 4; n++) {
        assertThat(since(features, before, "e1")).isPresent();
      }
      assertThat(held.value(read)).as("a connection to each").isEqualTo("t");
      assertThat(create(features, "e2").value()).isEqualTo(before.value() + 1);
    }
  }

  /** Has the primary do what a replica can't do beside whoever has read the collection. */
  private void breakOff() {
    try (Psql psql = Psql.connect(url)) {
      String broken = "SELECT sum(confl_lock) FROM pg_stat_database_conflicts";
      long before = held.number(broken);
      psql.run("BEGIN", "LOCK TABLE foo IN ACCESS EXCLUSIVE MODE", "COMMIT");
      while (held.number(broken) == before) {
        LockSupport.parkNanos(1_000_000);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void hurry(String delay) throws SQLException {
    held.run("ALTER SYSTEM SET max_standby_streaming_delay = '%s'".formatted(delay));
    held.run("SELECT pg_reload_conf()");
    while (!held.value("SHOW max_standby_streaming_delay").equals(delay)) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void aReadThatAReplicaBreaksOffIsDoneAgainOnThePrimary() throws SQLException {
    try (Features features = open(Duration.ofSeconds(30), replica.urlHere(url))) {
      Txn written = create(features, "f1");
      hurry("0");
      AtomicInteger attempts = new AtomicInteger();

      Optional<Feature> found =
          features.readSince(
              written,
              r -> {
                assertThat(r.byId("foo", "f1")).isPresent();
                if (attempts.incrementAndGet() == 1) {
                  breakOff();
                }
                return r.byId("foo", "f1");
              });

      assertThat(found).isPresent();
      assertThat(attempts).hasValue(2);
    } finally {
      hurry("30s");
    }
  }

  /** More than are fetched at a time, so that there is something left to ask for. */
  @Test
  void aReadThatHasHandedOutFeaturesIsNotDoneAgain() throws SQLException {
    try (Features features = open(Duration.ofSeconds(30), replica.urlHere(url))) {
      List<Write> writes =
          IntStream.range(0, 500)
              .mapToObj(n -> Write.create(Feature.parse("{\"id\": \"g%d\"}".formatted(n))))
              .toList();
      features.write(ALICE, "foo", writes);
      Txn written = create(features, "g");
      hurry("0");
      List<Feature> got = new ArrayList<>();

      assertThatThrownBy(
              () ->
                  features.readSince(
                      written,
                      r ->
                          r.each(
                              FeatureQuery.from("foo").build(),
                              feature -> {
                                got.add(feature);
                                if (got.size() == 1) {
                                  breakOff();
                                }
                              })))
          .isInstanceOf(StorageUnavailableException.class)
          .hasMessageContaining("a replica has broken off the read after %d features", got.size())
          .hasMessageContaining("begin again, ask for pages");
      assertThat(got).hasSizeBetween(1, 499);
    } finally {
      hurry("30s");
    }
  }
}
