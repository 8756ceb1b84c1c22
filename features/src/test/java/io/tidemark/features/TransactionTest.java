// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.model.Feature;
import io.tidemark.features.write.Transaction;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** All that a transaction does is there with it, or nothing; and when that was. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactionTest {

  private static final String CLOCK =
      "SELECT (date_part('epoch', clock_timestamp()) * 1000)::bigint";

  private TestStorage storage;
  private Psql psql;

  @BeforeAll
  void open(PostgresServer server) {
    storage = TestStorage.in(server);
    psql = storage.psql;
  }

  @AfterAll
  void close() {
    storage.close();
  }

  private static List<Write> upsert(String id) {
    return List.of(Write.upsert(Feature.parse("{\"id\": \"%s\"}".formatted(id))));
  }

  @Test
  void whatIsNotCommittedIsInNoCollectionAndNotInTheLog() throws SQLException {
    String foo = storage.small();
    String bar = storage.small();
    storage.put(foo, "{\"id\": \"x\"}", "{\"id\": \"y\"}");
    long lines = psql.number("SELECT count(*) FROM naksha_tx");

    try (Transaction tx = storage.features.begin(ALICE)) {
      tx.message("both", "collections", null);
      assertThat(tx.write(foo, upsert("x")).done()).isTrue();
      assertThat(tx.write(foo, List.of(Write.delete("y"))).done()).isTrue();
      assertThat(tx.write(bar, upsert("z")).done()).isTrue();
      tx.collections().create("made", CollectionOptions.none().unpartitioned());
    }

    assertThat(psql.xyz(foo)).extracting(xyz -> xyz.get("version").intValue()).containsOnly(1);
    assertThat(psql.number("SELECT count(*) FROM " + foo)).isEqualTo(2);
    for (String empty : List.of(foo + "_hst", foo + "_del", bar)) {
      assertThat(psql.number("SELECT count(*) FROM " + empty)).as(empty).isZero();
    }
    assertThat(psql.value("SELECT to_regclass('made')")).isNull();
    assertThat(psql.number("SELECT count(*) FROM naksha_tx")).isEqualTo(lines);
  }

  /** Not the time of the transaction, which is that of its beginning. */
  @Test
  void rtTsIsWhatTheClockSaidWhenTheStateWasMade() throws SQLException {
    String foo = storage.small();
    long java;
    try (Transaction tx = storage.features.begin(ALICE)) {
      java = psql.number(CLOCK);
      tx.write(foo, upsert("java"));
      tx.commit();
    }
    psql.run("BEGIN", "SELECT naksha_tx_start('a', 'b')");
    long sql = psql.number(CLOCK);
    psql.run("INSERT INTO %s (jsondata) VALUES ('{\"id\": \"sql\"}')".formatted(foo), "COMMIT");
    long end = psql.number(CLOCK);

    List<JsonNode> states = psql.xyz(foo);
    assertThat(states).hasSize(2);
    assertThat(states.get(0).get("rt_ts").longValue()).isBetween(java, sql);
    assertThat(states.get(1).get("rt_ts").longValue()).isBetween(sql, end);
    assertThat(states)
        .allSatisfy(
            xyz ->
                assertThat(xyz.get("updatedAt").longValue())
                    .isEqualTo(xyz.get("createdAt").longValue())
                    .isLessThanOrEqualTo(xyz.get("rt_ts").longValue()));
  }
}
