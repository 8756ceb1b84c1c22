// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.servers.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Pages of an answer that come from several servers, and servers that can't give any. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicaPagesTest {

  private PostgresServer primary;
  private TestStorage storage;

  @BeforeAll
  void start() {
    primary = PostgresServer.start(Map.of("synchronous_commit", "on"));
    storage = TestStorage.in(primary);
  }

  @AfterAll
  void stop() {
    storage.close();
    primary.close();
  }

  private Features reading(Duration patience, String server) {
    return Features.open(
        storage.url,
        "store",
        FeaturesOptions.defaults().withReplicas(List.of(server)).withReplicaPatience(patience));
  }

  @Test
  void aReplicaThatDoesNotHaveTheStorageYetIsPassedOverAndKeepsNoConnection() throws SQLException {
    String collection = storage.small();
    String empty = primary.createDatabase();
    try (Features features = reading(Duration.ZERO, empty);
        Psql there = Psql.connect(empty)) {
      List<Feature> before = features.read(r -> r.byIds(collection, List.of("a")));
      assertThat(before).as("by the primary").isEmpty();
      Txn written =
          features.transact(
              ALICE,
              tx -> {
                tx.write(collection, List.of(Write.create(Feature.parse("{\"id\": \"a\"}"))));
                return tx.txn();
              });
      List<Feature> since = features.readSince(written, r -> r.byIds(collection, List.of("a")));
      assertThat(since).hasSize(1);
      List<Feature> now = features.read(r -> r.byIds(collection, List.of("a")));
      assertThat(now).hasSize(1);
      assertThat(
              there.number(
                  "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                      + " AND state LIKE 'idle in transaction%'"))
          .isZero();
    }
  }
}
