// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.bulk.LoadOptions;
import io.tidemark.features.bulk.input.Input;
import io.tidemark.features.bulk.output.CollectionExportOptions;
import io.tidemark.features.bulk.output.CollectionExportOptions.OutputFormat;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.model.Feature;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Several storages in one database, whose sessions search their own schema only. */
@ExtendWith(ServerExtension.class)
class SchemasApartTest {

  private static final String LINE =
      "{\"id\": \"%s\", \"geometry\": {\"type\": \"LineString\", \"coordinates\": [[1, 2], [3, 4]]}}";

  @TempDir private Path directory;

  @Test
  void aStorageNeedsNoOtherSchemaAndNoneNeedsTheFirst(PostgresServer server)
      throws SQLException, IOException {
    String url = server.createDatabase();
    try (Psql psql = Psql.connect(url)) {
      psql.run("CREATE SCHEMA one", "CREATE SCHEMA two");
      Features.open(url + "&currentSchema=one", "one").close();
      try (Features two = Features.open(url + "&currentSchema=two", "two")) {
        writeAndLoad(two);
        psql.run("DROP SCHEMA one CASCADE");

        assertThat(two.read(r -> r.byId("roads", "a")).orElseThrow().geometry()).isNotNull();
        assertThat(two.checker().check("roads").flaws()).isEmpty();
        Path file = directory.resolve("roads.parquet");
        long rows =
            two.bulk()
                .export("roads", CollectionExportOptions.of(OutputFormat.GEOPARQUET))
                .to(file, n -> {});
        assertThat(rows).isEqualTo(1);
      }
    }
  }

  @Test
  void storagesThatAreWrittenInOneTransactionHaveTheirOwnNumbersAndLogs(PostgresServer server)
      throws SQLException {
    String url = server.createDatabase();
    try (Psql psql = Psql.connect(url)) {
      psql.run("CREATE SCHEMA one", "CREATE SCHEMA two");
    }
    try (Features one = Features.open(url + "&currentSchema=one", "one");
        Features two = Features.open(url + "&currentSchema=two", "two");
        Psql psql = Psql.connect(url + "&currentSchema=two")) {
      psql.as(
          "app",
          "alice",
          "SELECT one.naksha_collection_create('foo'), two.naksha_collection_create('foo')");
      // So that the next number of one is lower than that of two.
      psql.as("app", "alice", "SELECT two.naksha_tx_message('m', 'only here')");
      psql.as(
          "app",
          "alice",
          "INSERT INTO one.foo (jsondata) VALUES ('{\"id\": \"1\"}')",
          "INSERT INTO two.foo (jsondata) VALUES ('{\"id\": \"1\"}')");
      psql.as(
          "app",
          "alice",
          "SELECT one.naksha_txn()",
          "UPDATE two.foo SET jsondata = jsonb_set(jsondata, '{properties,n}', '1')");

      assertThat(signals(one)).containsExactly("MODIFY_FEATURES foo", "MODIFY_COLLECTION foo");
      assertThat(signals(two))
          .containsExactly(
              "MODIFY_FEATURES foo", "MODIFY_FEATURES foo", "MESSAGE m", "MODIFY_COLLECTION foo");
      assertThat(one.checker().check("foo").flaws()).isEmpty();
      assertThat(two.checker().check("foo").flaws()).isEmpty();
    }
  }

  /** What is in the log, the newest first. */
  private static List<String> signals(Features features) {
    return features.log().last(9).stream()
        .flatMap(transaction -> transaction.signals().stream())
        .map(logAction -> logAction.action() + ' ' + logAction.id())
        .toList();
  }

  private void writeAndLoad(Features features) throws IOException {
    CollectionOptions simple = CollectionOptions.none().unpartitioned();
    features.transact(ALICE, tx -> tx.collections().create("roads", simple));
    List<Write> writes =
        List.of(create(LINE.formatted("a")), create(LINE.formatted("b")), Write.delete("b"));
    assertThat(features.write(ALICE, "roads", writes).done()).isTrue();
    Path file = directory.resolve("paths.geojsonl");
    Files.writeString(file, LINE.formatted("c") + "\n");
    long loaded =
        features
            .bulk()
            .load(ALICE, "paths", Input.of(file), LoadOptions.standard().creating(simple))
            .run(progress -> {})
            .loaded();
    assertThat(loaded).isEqualTo(1);
  }

  private static Write create(String geoJson) {
    return Write.create(Feature.parse(geoJson));
  }
}
