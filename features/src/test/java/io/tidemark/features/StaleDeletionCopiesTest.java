// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Somebody has put deletion copies there past the triggers; deleting the features replaces them.
 */
@ExtendWith(ServerExtension.class)
class StaleDeletionCopiesTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 40})
  void aDeletionReplacesThem(int count, PostgresServer server) throws SQLException {
    try (TestStorage storage = TestStorage.in(server)) {
      String foo = storage.create(CollectionOptions.none());
      List<String> ids = IntStream.range(0, count).mapToObj(n -> "f" + n).toList();
      storage.put(
          foo, ids.stream().map(id -> "{\"id\": \"%s\"}".formatted(id)).toArray(String[]::new));
      storage.psql.run(
          "INSERT INTO %1$s_del SELECT -i, geo, jsondata FROM %1$s WHERE jsondata->>'id' = 'f0'"
              .formatted(foo));

      BatchResult result =
          storage.features.write(ALICE, foo, ids.stream().map(Write::delete).toList());

      assertThat(result.done()).isTrue();
      assertThat(storage.psql.number("SELECT count(*) FROM %s_del".formatted(foo)))
          .isEqualTo(count);
      assertThat(storage.psql.number("SELECT count(*) FROM %s_del WHERE i < 0".formatted(foo)))
          .isZero();
      assertThat(storage.psql.number("SELECT count(*) FROM %s_hst".formatted(foo)))
          .isEqualTo(2L * count);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"REPEATABLE READ", "SERIALIZABLE"})
  void aSessionThatDoesNotSeeADeletionCanNotCreateTheFeatureAnew(
      String isolation, PostgresServer server) throws SQLException {
    try (TestStorage storage = TestStorage.in(server);
        Psql old = Psql.connect(storage.url)) {
      String foo = storage.small();
      storage.put(foo, "{\"id\": \"seen\"}", "{\"id\": \"unseen\"}");
      storage.features.write(ALICE, foo, List.of(Write.delete("seen")));
      String insert = "INSERT INTO %s (jsondata) VALUES ('{\"id\": \"%s\"}')";
      old.run(
          "BEGIN ISOLATION LEVEL " + isolation,
          "SELECT naksha_tx_start('old', 'me'), count(*) FROM " + foo);
      storage.features.write(ALICE, foo, List.of(Write.delete("unseen")));

      old.run(insert.formatted(foo, "seen"), insert.formatted(foo, "new"), "SAVEPOINT before");
      assertThatThrownBy(() -> old.run(insert.formatted(foo, "unseen")))
          .hasMessageContaining("could not serialize access")
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("40001");
      old.run("ROLLBACK TO before", "COMMIT");

      assertThat(storage.ids(FeatureQuery.from(foo))).containsExactlyInAnyOrder("seen", "new");
      assertThat(storage.psql.values("SELECT jsondata->>'id' FROM %s_del".formatted(foo)))
          .containsExactly("unseen");
      assertThat(storage.features.checker().check(foo).flaws()).isEmpty();
    }
  }
}
