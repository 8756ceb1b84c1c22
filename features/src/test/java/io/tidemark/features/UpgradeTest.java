// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.db.SchemaInstaller;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.maintain.MaintenanceOutcome;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.XyzNamespace;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A storage with only the first of the SQL files in it is upgraded with all that it holds. */
@ExtendWith(ServerExtension.class)
class UpgradeTest {

  private static final List<String> OLD =
      List.of("001-transactions", "002-triggers", "003-collections");

  @Test
  void anOlderStorageGoesOnWithWhatItHolds(PostgresServer server) throws IOException, SQLException {
    String url = server.createDatabase();
    try (Psql psql = Psql.connect(url)) {
      installOld(psql);
      psql.as("old", "bob", "SELECT naksha_collection_create('roads', '{\"partitioned\": false}')");
      psql.as("old", "bob", "INSERT INTO roads (jsondata) VALUES ('{\"id\": \"a\"}')");
      psql.as("old", "bob", "UPDATE roads SET jsondata = '{\"id\": \"a\"}'");
      psql.as("old", "bob", "INSERT INTO roads (jsondata) VALUES ('{\"id\": \"b\"}')");

      try (Features features = Features.open(url, "store")) {
        assertThat(psql.values("SELECT version || ' ' || name FROM naksha_schema ORDER BY version"))
            .containsExactly(
                "1 001-transactions",
                "2 002-triggers",
                "3 003-collections",
                "4 004-queries",
                "5 005-sequencer",
                "6 006-history",
                "7 007-bulk");
        BatchResult result =
            features.write(
                ALICE,
                "roads",
                List.of(Write.update(Feature.parse("{\"id\": \"a\"}")), Write.delete("b")));
        assertThat(result.done()).isTrue();
        psql.as("new", "eve", "UPDATE roads SET jsondata = jsondata");
        check(features);
      }
    }
  }

  private static void check(Features features) {
    List<Feature> versions = features.read(r -> r.versions("roads", "a"));
    assertThat(versions)
        .extracting(state -> state.xyz().orElseThrow().version())
        .containsExactly(1L, 2L, 3L, 4L);
    for (Feature state : versions) {
      XyzNamespace xyzNamespace = state.xyz().orElseThrow();
      List<Feature> then = features.read(r -> r.byIdsAt("roads", List.of("a"), xyzNamespace.txn()));
      assertThat(then).extracting(f -> f.xyz().orElseThrow()).containsExactly(xyzNamespace);
    }
    FeatureQuery all = FeatureQuery.from("roads").build();
    assertThat(features.read(r -> r.query(all)).features())
        .extracting(f -> f.id().orElseThrow())
        .containsExactly("a");

    assertThat(features.log().sequence()).isEqualTo(6);
    assertThat(features.log().fromNumber(1, 10))
        .extracting(LoggedTransaction::number)
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    assertThat(features.log().fromNumber(1, 10))
        .extracting(LoggedTransaction::appId)
        .containsExactly("old", "old", "old", "old", "app1", "new");
    assertThat(((MaintenanceOutcome.Done) features.maintain()).failed()).isEmpty();
    assertThat(features.checker().check("roads").flaws()).isEmpty();
  }

  /** As a release would have done that had no more files than these. */
  private static void installOld(Psql psql) throws IOException, SQLException {
    psql.run(
        "CREATE TABLE naksha_schema (version int PRIMARY KEY, name text NOT NULL,"
            + " storage text NOT NULL, installed timestamptz NOT NULL DEFAULT current_timestamp,"
            + " checksum text NOT NULL)");
    for (int n = 0; n < OLD.size(); n++) {
      String resource = "/io/tidemark/features/schema/" + OLD.get(n) + ".sql";
      try (InputStream in = SchemaInstaller.class.getResourceAsStream(resource)) {
        String sql = new String(Objects.requireNonNull(in, resource).readAllBytes(), UTF_8);
        psql.run(
            sql.replace("${schema}", "public")
                .replace("${geo}", "public")
                .replace("${storage}", "store"),
            "INSERT INTO naksha_schema (version, name, storage, checksum) VALUES (%d, '%s', 'store',"
                    .formatted(n + 1, OLD.get(n))
                + " encode(sha256(convert_to($file$"
                + sql
                + "$file$, 'UTF8')), 'hex'))");
      }
    }
    psql.run("SELECT naksha_partitions_ahead()");
  }
}
