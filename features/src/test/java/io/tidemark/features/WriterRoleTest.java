// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.model.Feature;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.model.StorageUnusableException;
import io.tidemark.features.model.Txn;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody who may write features, and owns none of the tables. */
@ExtendWith(ServerExtension.class)
class WriterRoleTest {

  private final TestStorage storage;
  private final Psql owner;
  private final String c;
  private final String url;
  private final String today = LocalDate.now(ZoneOffset.UTC).toString().replace('-', '_');

  WriterRoleTest(PostgresServer server) throws SQLException {
    storage = TestStorage.in(server);
    owner = storage.psql;
    c = storage.small();
    String role = "writer_" + UUID.randomUUID().toString().replace("-", "");
    url = storage.url.replaceAll("user=[^&]*&password=[^&]*", "user=" + role + "&password=secret");
    owner.run(
        "CREATE ROLE %s LOGIN PASSWORD 'secret'".formatted(role),
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + role,
        "GRANT INSERT ON naksha_tx TO " + role,
        "GRANT INSERT, UPDATE, DELETE ON %1$s, %1$s_del, %1$s_hst TO %2$s".formatted(c, role),
        "GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public TO " + role);
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private static Write upsert(String id) {
    return Write.upsert(Feature.parse("{\"id\": \"%s\"}".formatted(id)));
  }

  @Test
  void theRightsToWriteAreEnoughAlsoForTheFirstOfADay() throws SQLException {
    long yesterday = Txn.of(LocalDate.now(ZoneOffset.UTC).minusDays(1), 7).value();
    owner.run("SELECT setval('naksha_tx_object_id_seq', %d)".formatted(yesterday));
    try (Features features = Features.open(url, "store");
        Psql psql = Psql.connect(url)) {
      assertThat(features.write(ALICE, c, List.of(upsert("a"), upsert("b"))).done()).isTrue();
      assertThat(features.write(ALICE, c, List.of(upsert("a"))).done()).isTrue();
      assertThat(features.write(ALICE, c, List.of(Write.delete("a"))).done()).isTrue();
      psql.as(
          "psql",
          "bob",
          "INSERT INTO %s (jsondata) VALUES ('{\"id\": \"x\"}')".formatted(c),
          "UPDATE %s SET jsondata = jsondata WHERE jsondata->>'id' = 'x'".formatted(c),
          "DELETE FROM %s WHERE jsondata->>'id' = 'b'".formatted(c));
    }
    assertThat(owner.values("SELECT jsondata->>'id' FROM " + c)).containsExactly("x");
    assertThat(storage.features.checker().check(c).flaws()).isEmpty();
  }

  /** Whoever waited for the tables of a day to be made finds them. */
  @Test
  void theFirstOfADayWritesWhenTheOwnerHasMadeItsTables() throws Exception {
    owner.run("DROP TABLE naksha_tx_" + today, "DROP TABLE %s_hst_%s".formatted(c, today));
    try (Features features = Features.open(url, "store");
        Psql watching = Psql.connect(storage.url)) {
      owner.run("BEGIN", "SELECT naksha_partitions_ahead()");
      CompletableFuture<BatchResult> written =
          CompletableFuture.supplyAsync(
              () -> features.write(ALICE, c, List.of(upsert("a"), upsert("a"))));
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
      while (watching.number("SELECT count(*) FROM pg_locks WHERE NOT granted") == 0) {
        assertThat(System.nanoTime()).as("it waits").isLessThan(end);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
      owner.run("COMMIT");

      assertThat(written.get(1, TimeUnit.MINUTES).done()).isTrue();
    }
    assertThat(owner.number("SELECT count(*) FROM %s_hst_%s".formatted(c, today))).isEqualTo(1);
  }

  @Test
  void whoMayNotMakeTheTablesOfADayIsToldWhoDoes() throws SQLException {
    owner.run("DROP TABLE naksha_tx_" + today);
    try (Features features = Features.open(url, "store")) {
      assertThatThrownBy(() -> features.write(ALICE, c, List.of(upsert("a"))))
          .isInstanceOf(StorageUnusableException.class)
          .hasMessageContaining("the table naksha_tx_%s isn't there, and writer_", today)
          .hasMessageContaining("SELECT naksha_partitions_ahead()");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"delete", "update", "upsert"})
  void aFeatureThatRowLevelSecurityKeepsIsNamed(String what) throws SQLException {
    storage.put(c, "{\"id\": \"a\"}", "{\"id\": \"b\"}");
    owner.run(
        "ALTER TABLE %s ENABLE ROW LEVEL SECURITY".formatted(c),
        "CREATE POLICY see ON %s FOR SELECT USING (true)".formatted(c),
        "CREATE POLICY add ON %s FOR INSERT WITH CHECK (true)".formatted(c),
        "CREATE POLICY other ON %s USING (jsondata->>'id' = 'b')".formatted(c));
    Feature a = Feature.parse("{\"id\": \"a\"}");
    Feature b = Feature.parse("{\"id\": \"b\"}");
    List<Write> writes =
        switch (what) {
          case "delete" -> List.of(Write.delete("b"), Write.delete("a"));
          case "update" -> List.of(Write.update(b), Write.update(a));
          default -> List.of(Write.upsert(b), Write.upsert(a));
        };
    try (Features features = Features.open(url, "store")) {
      assertThatThrownBy(() -> features.write(ALICE, c, writes))
          .isInstanceOf(
              what.equals("upsert")
                  ? StorageUnavailableException.class
                  : StorageUnusableException.class)
          .hasMessageContaining("feature 'a'")
          .hasMessageContaining("row-level security");
    }
    assertThat(storage.features.checker().check(c).flaws()).isEmpty();
  }
}
