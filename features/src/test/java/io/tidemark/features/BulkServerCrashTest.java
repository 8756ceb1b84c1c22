// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.bulk.LoadOptions;
import io.tidemark.features.bulk.LoadProgress;
import io.tidemark.features.bulk.LoadProgress.Phase;
import io.tidemark.features.bulk.LoadReport;
import io.tidemark.features.bulk.input.Input;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The server is killed with all its backends while a collection is loaded: all of the load is there
 * or nothing, and it can be done again. Decisions 2 and 12.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BulkServerCrashTest {

  private static final int FEW = 500;

  private PostgresServer server;
  private String url;

  @TempDir private Path directory;

  @BeforeAll
  void start() {
    server = PostgresServer.start(Map.of("synchronous_commit", "on"));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private Path file(int rows) throws IOException {
    return Files.writeString(
        directory.resolve("points.geojsonl"),
        IntStream.range(0, rows)
            .mapToObj(
                n ->
                    "{\"id\":\"f%d\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}"
                        .formatted(n))
            .collect(Collectors.joining("\n")));
  }

  /** A storage whose collection was used and is empty again. */
  @BeforeEach
  void used() {
    url = server.createDatabase();
    try (Features features = Features.open(url, "store")) {
      features.transact(ALICE, tx -> tx.collections().create("foo", CollectionOptions.none()));
      features.write(ALICE, "foo", List.of(Write.create(Feature.parse("{\"id\": \"f1\"}"))));
      features.write(ALICE, "foo", List.of(Write.delete("f1")));
    }
  }

  private LoadReport load(Path file, Consumer<LoadProgress> told) {
    try (Features features = Features.open(url, "store")) {
      return features
          .bulk()
          .load(ALICE, "foo", Input.of(file), LoadOptions.standard().inParallel(2))
          .run(told);
    }
  }

  private void crash() {
    server.kill();
    server.restart();
  }

  /** That the collection is sound and has so many features, and that all has its number. */
  private void requireWhole(long features, long transactions) throws SQLException {
    try (Features opened = Features.open(url, "store");
        Psql psql = Psql.connect(url)) {
      assertThat(opened.checker().check("foo").flaws()).isEmpty();
      assertThat(psql.number("SELECT count(*) FROM foo")).isEqualTo(features);
      opened.log().sequence();
      assertThat(opened.log().fromNumber(1, 100))
          .extracting(LoggedTransaction::number)
          .containsExactlyElementsOf(LongStream.rangeClosed(1, transactions).boxed().toList());
    }
  }

  private void requireLoadedByTheNext(Path file, long rows) throws SQLException {
    requireWhole(0, 3);
    assertThat(load(file, progress -> {}).loaded()).isEqualTo(rows);
    requireWhole(rows, 4);
    try (Psql psql = Psql.connect(url)) {
      assertThat(psql.number("SELECT count(*) FROM pg_class WHERE relname LIKE 'naksha_load_%'"))
          .isZero();
    }
  }

  /**
   * Those after COPY are shorter, and what is then done in them is killed below; a soak has all.
   */
  static List<Phase> phases() {
    return Boolean.getBoolean("soak") ? List.of(Phase.values()) : List.of(Phase.COPY);
  }

  @ParameterizedTest
  @MethodSource("phases")
  void aLoadDuringWhichTheServerIsKilledIsNotThere(Phase phase) throws Exception {
    int rows = phase == Phase.COPY ? 24_000 : FEW;
    Path file = file(rows);
    boolean[] killed = {false};

    assertThatThrownBy(
            () ->
                load(
                    file,
                    progress -> {
                      if (progress.phase() == phase && progress.rows() > 0 && !killed[0]) {
                        killed[0] = true;
                        crash();
                      }
                    }))
        .isInstanceOf(StorageUnavailableException.class);

    requireLoadedByTheNext(file, rows);
  }

  /** Its last step waits for somebody when all tables have changed places already. */
  @Test
  void aLoadWhoseServerIsKilledWhileTablesChangePlacesIsNotThere() throws Exception {
    Path file = file(FEW);
    try (Psql other = Psql.connect(url)) {
      other.run("BEGIN", "LOCK TABLE foo_del IN ACCESS EXCLUSIVE MODE");
      CompletableFuture<LoadReport> loading =
          CompletableFuture.supplyAsync(() -> load(file, progress -> {}));
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (other.number(
              "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'foo_del'::regclass")
          == 0) {
        assertThat(System.nanoTime()).as("it comes there").isLessThan(end);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
      crash();

      assertThatThrownBy(loading::join)
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(StorageUnavailableException.class);
    }
    requireLoadedByTheNext(file, FEW);
  }

  @Test
  void aLoadThatWasAcknowledgedIsThere() throws Exception {
    Path file = file(FEW);

    assertThat(load(file, progress -> {}).loaded()).isEqualTo(FEW);
    crash();

    requireWhole(FEW, 4);
  }
}
