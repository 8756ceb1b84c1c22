// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That plain SQL can't lose features without a trace. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TruncateTest {

  private TestStorage storage;
  private String c;

  @BeforeAll
  void write(PostgresServer server) {
    storage = TestStorage.in(server);
    c = storage.create(CollectionOptions.none());
    storage.put(c, "{\"id\": \"a\"}", "{\"id\": \"b\"}");
    storage.features.write(ALICE, c, List.of(Write.delete("b")));
  }

  @AfterAll
  void close() {
    storage.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "_del", "_hst", "leaf", "day"})
  void noTableOfACollectionCanBeTruncated(String which) throws SQLException {
    String table =
        switch (which) {
          case "leaf" -> c + "_" + storage.psql.value("SELECT left(md5('a'), 1)");
          case "day" ->
              storage.psql.value("SELECT tableoid::regclass FROM %s_hst LIMIT 1".formatted(c));
          default -> c + which;
        };
    long rows = storage.psql.number("SELECT count(*) FROM " + table);

    assertThatThrownBy(() -> storage.psql.run("TRUNCATE " + table))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22023"))
        .hasMessageContaining("can't be truncated")
        .hasMessageContaining("naksha_collection_purge");

    assertThat(rows).isPositive();
    assertThat(storage.psql.number("SELECT count(*) FROM " + table)).isEqualTo(rows);
  }
}
