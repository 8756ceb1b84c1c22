// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.bulk.CollectionLoad;
import io.tidemark.features.bulk.LoadOptions;
import io.tidemark.features.bulk.LoadOptions.Existing;
import io.tidemark.features.bulk.LoadProgress.Phase;
import io.tidemark.features.bulk.LoadReport;
import io.tidemark.features.bulk.input.Input;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.XyzNamespace;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.read.ReadTransaction;
import io.tidemark.features.write.Transaction;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Others who write to a collection while it is loaded; resolution 39. */
@ExtendWith(ServerExtension.class)
class BulkInterferenceTest {

  @TempDir private Path directory;

  @Test
  void aCollectionThatWasWrittenAndEmptiedDuringALoadIsNotReplaced(PostgresServer server)
      throws IOException {
    Path file = Files.writeString(directory.resolve("f.geojsonl"), "{\"id\": \"f\"}\n");
    try (TestStorage storage = TestStorage.in(server)) {
      String c = storage.small();
      CollectionLoad collectionLoad =
          storage.features.bulk().load(ALICE, c, Input.of(file), LoadOptions.standard());

      assertThatThrownBy(
              () ->
                  collectionLoad.run(
                      progress -> {
                        if (progress.phase() == Phase.ATTACH) {
                          storage.put(c, "{\"id\": \"f\"}");
                          storage.features.write(ALICE, c, List.of(Write.delete("f")));
                        }
                      }))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("others have written to the collection '%s'".formatted(c));

      List<Feature> states = storage.features.read(r -> r.versions(c, "f"));
      assertThat(states)
          .extracting(state -> state.xyz().orElseThrow().action())
          .containsExactly("CREATE", "DELETE");
      assertThat(storage.features.checker().check(c).flaws()).isEmpty();
    }
  }

  @Test
  void aCollectionThatCameAndWentDuringALoadKeepsItsGuidsForItself(PostgresServer server)
      throws IOException {
    Path file = Files.writeString(directory.resolve("f.geojsonl"), "{\"id\": \"f\"}\n");
    try (TestStorage storage = TestStorage.in(server)) {
      String c = storage.small();
      storage.put(c, "{\"id\": \"f\"}");
      String first = uuid(storage, c);
      storage.features.transact(ALICE, tx -> tx.collections().purge(c));
      LoadOptions creating = LoadOptions.standard().creating(CollectionOptions.none());

      assertThatThrownBy(
              () ->
                  storage
                      .features
                      .bulk()
                      .load(ALICE, c, Input.of(file), creating)
                      .run(
                          progress -> {
                            if (progress.phase() == Phase.ATTACH) {
                              storage.features.transact(ALICE, tx -> comesAndGoes(tx, c));
                            }
                          }))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("others have created and purged the collection '%s'".formatted(c));
      LoadReport loaded =
          storage.features.bulk().load(ALICE, c, Input.of(file), creating).run(progress -> {});

      assertThat(loaded.loaded()).isEqualTo(1);
      assertThat(uuid(storage, c)).isNotEqualTo(first);
      storage.features.write(ALICE, c, List.of(Write.delete("f")));
      storage.put(c, "{\"id\": \"f\"}");
      assertThat(storage.features.checker().check(c).flaws()).isEmpty();
    }
  }

  private static boolean comesAndGoes(Transaction tx, String c) {
    tx.collections().create(c, CollectionOptions.none().unpartitioned());
    tx.write(c, List.of(Write.create(Feature.parse("{\"id\": \"f\"}"))));
    return tx.collections().purge(c).isPresent();
  }

  private static String uuid(TestStorage storage, String c) {
    Optional<Feature> f = storage.features.read(r -> r.byId(c, "f"));
    return f.flatMap(Feature::xyz).flatMap(XyzNamespace::uuid).orElseThrow();
  }

  /**
   * Its rows were sent before its tables are there, by transactions of their own. Who sees an older
   * moment would see those that had come by then.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoReadsAMomentBeforeALoadBeginsAnewInsteadOfSeeingSomeOfIt(
      boolean partitioned, PostgresServer server) throws Exception {
    Path file = Files.writeString(directory.resolve("f.geojsonl"), "{\"id\": \"f\"}\n");
    try (TestStorage storage = TestStorage.in(server)) {
      String other = storage.small();
      String c = partitioned ? storage.create(CollectionOptions.none()) : storage.small();
      FeatureQuery all = FeatureQuery.from(c).build();
      Map<String, Function<ReadTransaction, Integer>> looks =
          Map.of(
              "by id", r -> r.byIds(c, List.of("f")).size(),
              "versions", r -> r.versions(c, "f").size(),
              "page", r -> r.query(all).features().size(),
              "stream", r -> (int) r.each(all, feature -> {}));
      CountDownLatch begun = new CountDownLatch(looks.size());
      CountDownLatch loaded = new CountDownLatch(1);
      Map<String, CompletableFuture<List<Integer>>> found = new TreeMap<>();
      CollectionLoad collectionLoad =
          storage.features.bulk().load(ALICE, c, Input.of(file), LoadOptions.standard());

      collectionLoad.run(
          progress -> {
            if (progress.phase() == Phase.ATTACH && found.isEmpty()) {
              looks.forEach(
                  (name, look) ->
                      found.put(
                          name,
                          CompletableFuture.supplyAsync(
                              () ->
                                  seen(
                                      storage.features,
                                      readTransaction -> {
                                        readTransaction.byId(other, "x"); // now it has its moment
                                        begun.countDown();
                                        await(loaded);
                                        return look.apply(readTransaction);
                                      }),
                              task -> new Thread(task).start())));
              await(begun);
            }
          });
      loaded.countDown();

      found.forEach((name, each) -> assertThat(each.join()).as(name).containsExactly(2, 1));
    }
  }

  /** The load waits for who reads, and who reads for what the load holds; PostgreSQL ends that. */
  @Test
  void aLoadThatLosesAgainstAReaderIsAttachedAllTheSame(PostgresServer server) throws Exception {
    Path file = Files.writeString(directory.resolve("f.geojsonl"), "{\"id\": \"f\"}\n");
    try (TestStorage storage = TestStorage.in(server)) {
      String c = storage.small();
      // It begins to wait after the load, which therefore finds the circle before it would.
      storage.psql.run("SET deadlock_timeout = '1min'", "BEGIN", "TABLE " + c);
      CompletableFuture<LoadReport> load = loading(storage, c, file, LoadOptions.standard());
      awaitWaiting(storage);

      storage.psql.run("SELECT naksha_lock('collection %s')".formatted(c), "COMMIT");

      assertThat(load.get(2, TimeUnit.MINUTES).loaded()).isEqualTo(1);
      assertThat(storage.ids(FeatureQuery.from(c))).containsExactly("f");
      assertThat(storage.features.checker().check(c).flaws()).isEmpty();
    }
  }

  /** Batches keep to an order, in which somebody with plain SQL needn't. */
  @Test
  void upsertsThatLoseAgainstPlainSqlBeginAnew(PostgresServer server) throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("ab.geojsonl"), "{\"id\": \"a\"}\n{\"id\": \"b\"}\n{\"id\": 1e}\n");
    try (TestStorage storage = TestStorage.in(server)) {
      String c = storage.small();
      storage.put(c, "{\"id\": \"a\"}", "{\"id\": \"b\"}");
      String touch = "UPDATE %s SET jsondata = jsondata WHERE jsondata->>'id' = '%s'";
      storage.psql.run(
          "SET deadlock_timeout = '1min'",
          "BEGIN",
          "SELECT naksha_tx_start('psql', 'bob')",
          touch.formatted(c, "b"));
      LoadOptions upsert = LoadOptions.standard().with(Existing.UPSERT).skipping(1);
      CompletableFuture<LoadReport> load = loading(storage, c, file, upsert);
      awaitWaiting(storage);

      storage.psql.run(touch.formatted(c, "a"), "COMMIT");

      LoadReport report = load.get(2, TimeUnit.MINUTES);
      assertThat(report.loaded()).isEqualTo(2);
      assertThat(report.skipped()).isEqualTo(1);
      assertThat(report.problems()).hasSize(1);
      assertThat(storage.psql.xyz(c))
          .extracting(xyz -> xyz.path("version").asInt())
          .containsExactly(3, 3);
      assertThat(storage.features.checker().check(c).flaws()).isEmpty();
    }
  }

  private static CompletableFuture<LoadReport> loading(
      TestStorage storage, String collection, Path file, LoadOptions options) {
    CollectionLoad collectionLoad =
        storage.features.bulk().load(ALICE, collection, Input.of(file), options);
    return CompletableFuture.supplyAsync(() -> collectionLoad.run(progress -> {}));
  }

  /** Returns when somebody waits for a lock of a table or of a row. */
  private static void awaitWaiting(TestStorage storage) throws SQLException {
    try (Psql watching = Psql.connect(storage.url)) {
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
      while (watching.number("SELECT count(*) FROM pg_locks WHERE NOT granted") == 0) {
        assertThat(System.nanoTime()).as("it waits").isLessThan(end);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
    }
  }

  /** How often it was begun, and what it found at last. */
  private static List<Integer> seen(Features features, Function<ReadTransaction, Integer> look) {
    AtomicInteger begun = new AtomicInteger();
    int found =
        features.read(
            readTransaction -> {
              begun.incrementAndGet();
              return look.apply(readTransaction);
            });
    return List.of(begun.get(), found);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
