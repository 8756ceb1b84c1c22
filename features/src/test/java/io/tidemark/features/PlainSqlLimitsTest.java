// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.Servers;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plain SQL is refused what the API refuses. */
@ExtendWith(Servers.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlainSqlLimitsTest {

  private TestStorage storage;
  private String foo;

  @BeforeAll
  void open(PostgresServer server) {
    storage = TestStorage.in(server);
    foo = storage.small();
  }

  @AfterAll
  void close() {
    storage.close();
  }

  private void insert(String json, String geo) throws SQLException {
    storage.psql.as(
        "app1",
        "alice",
        "INSERT INTO %s (jsondata, geo) VALUES (%s, %s)".formatted(foo, json, geo));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ST_Point(180.1, 0)",
        "ST_Point(0, -90.1)",
        "ST_Point('NaN', 0)",
        "ST_Point(0, 'Infinity')",
        "ST_MakePoint(0, 0, 'NaN')",
        "ST_MakePoint(0, 0, '-Infinity')",
        "ST_GeomFromText('LINESTRING(0 0, 181 0)')",
        "ST_MakeLine(ARRAY[ST_Point(0, 0), ST_Point('NaN', 1), ST_Point(2, 2)])",
        "ST_Collect(ARRAY[ST_Point(0, 0), ST_Point(1, 'NaN'), ST_Point(2, 2)])",
        "ST_Collect(ST_MakeLine(ST_Point(0, 0), ST_Point(1, 1)), ST_Point(1, 91))"
      })
  void coordinatesThatAreBeyondTheWorldAreRefused(String geo) {
    assertThatThrownBy(() -> insert("'{\"id\": \"far\"}'", geo))
        .hasMessageContaining("the geometry of feature 'far' is beyond the world: ")
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("22023");
  }

  @Test
  void theEdgesOfTheWorldAreTaken() throws SQLException {
    insert("'{\"id\": \"w\"}'", "ST_MakeEnvelope(-180, -90, 180, 90, 4326)");
    insert("'{\"id\": \"e\"}'", "'POINT EMPTY'");
    insert("'{\"id\": \"m\"}'", "'MULTIPOINT(180 90, -180 -90)'");
    assertThat(storage.psql.number("SELECT count(*) FROM %s WHERE NOT geo IS NULL".formatted(foo)))
        .isEqualTo(3);
  }

  @Test
  void anIdOfMoreThan255CharactersIsRefused() throws SQLException {
    insert("jsonb_build_object('id', repeat('\u00e4', 255))", "NULL");
    assertThatThrownBy(() -> insert("jsonb_build_object('id', repeat('a', 256))", "NULL"))
        .hasMessageContaining("the id 'aaaa")
        .hasMessageContaining("has 256 characters")
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("22023");
  }

  @Test
  void onlyFeaturesAreTaken() throws SQLException {
    assertThatThrownBy(() -> insert("'{\"id\": \"t\", \"type\": \"Topology\"}'", "NULL"))
        .hasMessageContaining("feature 't' has the type \"Topology\"")
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("22023");
    insert("'{\"id\": \"n\", \"type\": 7, \"properties\": {}}'", "NULL");
    insert("'{\"id\": \"o\"}'", "NULL");
    assertThat(
            storage.psql.values(
                "SELECT DISTINCT jsondata->>'type' FROM %s WHERE jsondata->>'id' IN ('n', 'o')"
                    .formatted(foo)))
        .containsExactly("Feature");
  }
}
