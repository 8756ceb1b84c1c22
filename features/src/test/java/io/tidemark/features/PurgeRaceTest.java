// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.features.model.Feature;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who purges deleted features meets others at their copies. Nobody is done again here, so whoever
 * has to give in to break a circle is seen.
 */
@ExtendWith(ServerExtension.class)
class PurgeRaceTest {

  private static final String LOCK = "SELECT FROM foo_del WHERE jsondata->>'id' = '%s' FOR UPDATE";

  private final Features features;
  private final Psql psql;

  PurgeRaceTest(PostgresServer server) {
    String url = server.createDatabase();
    FeaturesOptions patient = FeaturesOptions.defaults().withLockTimeout(Duration.ofSeconds(30));
    features = Features.open(url, "store", patient);
    psql = Psql.connect(url);
    features.transact(ALICE, tx -> tx.collections().create("foo", CollectionOptions.none()));
  }

  @AfterEach
  void close() {
    psql.close();
    features.close();
  }

  private static Write create(String id) {
    return Write.create(Feature.parse("{\"id\": \"%s\"}".formatted(id)));
  }

  /** Creates and deletes them, in the order given, which is the one that their copies lie in. */
  private void deleted(Stream<String> ids) {
    ids.forEach(
        id -> {
          features.write(ALICE, "foo", List.of(create(id)));
          features.write(ALICE, "foo", List.of(Write.delete(id)));
        });
  }

  private CompletableFuture<List<String>> begun(Write... writes) {
    return CompletableFuture.supplyAsync(
        () ->
            features.transact(ALICE, tx -> tx.write("foo", List.of(writes))).rows().stream()
                .map(row -> row.getClass().getSimpleName())
                .toList(),
        Psql.OWN_THREADS);
  }

  /** The purge comes to the first copy, and then to the second, while the other has waited. */
  @ParameterizedTest
  @ValueSource(strings = {"create", "upsert"})
  void whoCreatesOneAndPurgesAnotherLocksTheirCopiesInTheOrderOfIds(String how)
      throws SQLException {
    deleted(Stream.of("a", "b"));
    psql.run("BEGIN", LOCK.formatted("a"));
    CompletableFuture<List<String>> purge = begun(Write.purge("b"), Write.purge("a"));
    psql.awaitWaiting(1);
    CompletableFuture<List<String>> both =
        begun(
            how.equals("create") ? create("b") : Write.upsert(Feature.parse("{\"id\": \"b\"}")),
            Write.purge("a"));
    psql.awaitWaiting(2);
    psql.run("COMMIT");

    assertThat(purge.join()).containsExactly("Purged", "Purged");
    assertThat(both.join()).containsExactly("Created", "Retained");
    assertThat(psql.values("SELECT jsondata->>'id' FROM foo_del")).isEmpty();
    assertThat(features.checker().check("foo").flaws()).isEmpty();
  }

  /** In an order that has the planner rather read them as they lie; the last comes first there. */
  @Test
  void whoCreatesManyLocksTheirCopiesInTheOrderOfIdsHoweverTheyLie() throws SQLException {
    deleted(IntStream.range(0, 100).map(n -> (99 + n * 37) % 100).mapToObj("f%02d"::formatted));
    psql.run("ANALYZE foo_del", "BEGIN", LOCK.formatted("f00"));
    CompletableFuture<List<String>> purge = begun(Write.purge("f00"), Write.purge("f99"));
    psql.awaitWaiting(1);
    CompletableFuture<List<String>> creates =
        begun(
            IntStream.range(0, 100)
                .mapToObj(n -> create("f%02d".formatted(n)))
                .toArray(Write[]::new));
    psql.awaitWaiting(2);
    psql.run("COMMIT");

    assertThat(purge.join()).containsExactly("Purged", "Purged");
    assertThat(creates.join()).hasSize(100).containsOnly("Created");
    assertThat(psql.values("SELECT jsondata->>'id' FROM foo_del")).isEmpty();
  }

  @Test
  void whoWaitsForTheCopyOfAFeatureThatIsCreatedAnewPurgesThat() throws SQLException {
    deleted(Stream.of("a", "b", "c"));
    psql.run("BEGIN", "SELECT naksha_tx_start('psql', 'bob')");
    psql.run("INSERT INTO foo (jsondata) VALUES ('{\"id\": \"b\"}')");
    CompletableFuture<List<String>> blind = begun(Write.purge("a"), Write.purge("b"));
    CompletableFuture<List<String>> mixed = begun(create("c"), Write.purge("b"));
    psql.awaitWaiting(2);
    psql.run("COMMIT");

    assertThat(Stream.of(blind.join().get(1), mixed.join().get(1)))
        .containsExactlyInAnyOrder("Purged", "Retained");
    assertThat(psql.values("SELECT jsondata->>'id' FROM foo")).containsExactly("c");
    assertThat(psql.values("SELECT jsondata->>'id' FROM foo_del")).isEmpty();
    assertThat(features.checker().check("foo").flaws()).isEmpty();
  }

  /** A copy was there at every moment, but not the same one. */
  @Test
  void whoWaitsForTheCopyOfAFeatureThatIsCreatedAnewAndDeletedPurgesTheNextCopy()
      throws SQLException {
    deleted(Stream.of("a", "b", "c"));
    psql.run("BEGIN", "SELECT naksha_tx_start('psql', 'bob')");
    psql.run("INSERT INTO foo (jsondata) VALUES ('{\"id\": \"b\"}')");
    psql.run("DELETE FROM foo WHERE jsondata->>'id' = 'b'");
    CompletableFuture<List<String>> blind = begun(Write.purge("a"), Write.purge("b"));
    CompletableFuture<List<String>> mixed = begun(create("c"), Write.purge("b"));
    psql.awaitWaiting(2);
    psql.run("COMMIT");

    assertThat(Stream.of(blind.join().get(1), mixed.join().get(1)))
        .containsExactlyInAnyOrder("Purged", "Retained");
    assertThat(psql.values("SELECT jsondata->>'id' FROM foo_del")).isEmpty();
    assertThat(features.checker().check("foo").flaws()).isEmpty();
  }

  /** Somebody's trigger creates another feature together with that of the batch. */
  @Test
  void theCopyOfWhatATriggerCreatesIsRemovedToo() throws SQLException {
    deleted(Stream.of("a", "b", "c"));
    psql.run(
        "CREATE FUNCTION own() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN IF pg_trigger_depth() = 1"
            + " THEN INSERT INTO foo (jsondata) VALUES ('{\"id\": \"c\"}'); END IF; RETURN NULL; END$$",
        "CREATE TRIGGER own AFTER INSERT ON foo FOR EACH STATEMENT EXECUTE FUNCTION own()");

    assertThat(begun(create("b"), Write.purge("a")).join()).containsExactly("Created", "Purged");
    assertThat(psql.values("SELECT jsondata->>'id' FROM foo_del")).isEmpty();
    assertThat(psql.number("SELECT count(*) FROM foo")).isEqualTo(2);
  }
}
