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
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.testkit.process.ChildJvm;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Loads that are killed: nothing is ever half there, and what is left is found. */
@ExtendWith(ServerExtension.class)
class BulkCrashTest {

  private static final long LIMIT = Duration.ofSeconds(60).toNanos();

  @TempDir private Path directory;

  /** Enough for rows to be sent while others are still read, where that matters. */
  private static int rows(Phase phase) {
    return phase == Phase.COPY ? 24_000 : 2_000;
  }

  private Path file(Phase phase) throws IOException {
    return Files.writeString(
        directory.resolve("points.geojsonl"),
        IntStream.range(0, rows(phase))
            .mapToObj(
                n ->
                    "{\"id\":\"f%d\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}"
                        .formatted(n))
            .collect(Collectors.joining("\n")));
  }

  private static long leftovers(Psql psql) throws SQLException {
    return psql.number(
        "SELECT count(*) FROM pg_class WHERE relname LIKE 'naksha_load_%' AND relkind = 'r'");
  }

  private static LoadReport load(Features features, Path file, Consumer<LoadProgress> listener) {
    return features
        .bulk()
        .load(
            ALICE,
            "foo",
            Input.of(file),
            LoadOptions.standard().creating(CollectionOptions.none()).inParallel(2))
        .run(listener);
  }

  private static void assertLoadedByTheNext(Features features, Psql psql, Path file)
      throws IOException, SQLException {
    long rows;
    try (Stream<String> lines = Files.lines(file)) {
      rows = lines.count();
    }
    assertThat(psql.value("SELECT to_regclass('foo')")).isNull();
    assertThat(load(features, file, p -> {}).loaded()).isEqualTo(rows);
    assertThat(psql.number("SELECT count(*) FROM foo")).isEqualTo(rows);
    assertThat(leftovers(psql)).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"COPY", "ATTACH"})
  void aKilledLoaderLeavesTablesThatAreFound(Phase phase, PostgresServer server) throws Exception {
    Path file = file(phase);
    try (TestStorage storage = TestStorage.in(server);
        ChildJvm child =
            ChildJvm.start(LoadProcess.class, storage.url, file.toString(), phase.name())) {
      child.expectLine("ready").send("go");
      child.expectLine("there");
      assertThat(leftovers(storage.psql)).isEqualTo(16);
      assertThat(storage.features.bulk().removeLeftovers()).isEmpty();

      child.kill();

      assertThat(storage.psql.value("SELECT to_regclass('foo')")).isNull();
      long begin = System.nanoTime();
      while (leftovers(storage.psql) > 0) { // until the server has noticed
        storage.features.bulk().removeLeftovers();
        assertThat(System.nanoTime() - begin).isLessThan(LIMIT);
        LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
      }
      assertLoadedByTheNext(storage.features, storage.psql, file);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLoadWhoseServerProcessesAreKilledFailsAndCanBeDoneAgain(Phase phase, PostgresServer server)
      throws Exception {
    Path file = file(phase);
    try (TestStorage storage = TestStorage.in(server)) {
      assertThatThrownBy(
              () ->
                  load(
                      storage.features,
                      file,
                      progress -> {
                        if (progress.phase() == phase && progress.rows() > 0) {
                          killAll(storage.psql);
                        }
                      }))
          .isInstanceOf(StorageUnavailableException.class);

      assertLoadedByTheNext(storage.features, storage.psql, file);
    }
  }

  private static void killAll(Psql psql) {
    try {
      psql.run(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
              + " AND datname = current_database()");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
