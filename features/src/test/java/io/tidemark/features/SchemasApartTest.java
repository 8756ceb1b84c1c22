// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.bulk.LoadOptions;
import io.tidemark.features.bulk.input.Input;
import io.tidemark.features.bulk.output.ExportOptions;
import io.tidemark.features.bulk.output.ExportOptions.Form;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Storages whose sessions search their own schema only, so not that of PostGIS. */
@ExtendWith(Servers.class)
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
        long rows = two.bulk().export("roads", ExportOptions.of(Form.GEOPARQUET)).to(file, n -> {});
        assertThat(rows).isEqualTo(1);
      }
    }
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
