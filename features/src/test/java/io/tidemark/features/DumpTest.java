// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.maintain.MaintainOptions;
import io.tidemark.features.model.Feature;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.PostgresServer.Dump;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A storage that PostgreSQL's own programs dump and restore goes on where it was: E7, A3. */
@ExtendWith(ServerExtension.class)
class DumpTest {

  private static Write upsert(String id, int n) {
    return Write.upsert(
        Feature.parse(
            ("{\"id\": \"%s\", \"geometry\": {\"type\": \"LineString\", \"coordinates\":"
                    + " [[1, 2], [3, %d]]}, \"properties\": {\"n\": %d}}")
                .formatted(id, n, n)));
  }

  /** Three transactions have numbers, and three don't; one has a txn and nothing else. */
  private static void fill(TestStorage storage) {
    Features features = storage.features;
    features.transact(
        ALICE,
        tx ->
            tx.collections().create("foo", CollectionOptions.none().idPrefix("u:").author("bot")));
    features.write(ALICE, "foo", List.of(upsert("u:a", 1), upsert("b", 1), upsert("c", 1)));
    features.write(ALICE, "foo", List.of(upsert("a", 2), Write.delete("b")));
    assertThat(features.log().sequence()).isEqualTo(3);
    features.write(ALICE, "foo", List.of(upsert("a", 3)));
    features.transact(
        ALICE, tx -> tx.collections().create("bar", CollectionOptions.none().unpartitioned()));
    features.write(ALICE, "bar", List.of(upsert("a", 1)));
    features.maintain(MaintainOptions.defaults());
  }

  private static List<String> all(Psql psql) throws SQLException {
    return psql.values(
        "SELECT line FROM (SELECT 'head' || foo::text AS line FROM foo UNION ALL SELECT 'hst' ||"
            + " foo_hst::text FROM foo_hst UNION ALL SELECT 'del' || foo_del::text FROM foo_del"
            + " UNION ALL SELECT 'bar' || bar::text FROM bar UNION ALL SELECT 'log' || t::text"
            + " FROM naksha_tx t UNION ALL SELECT 'info' || c::text FROM naksha_collections(true) c)"
            + " AS lines ORDER BY line");
  }

  @ParameterizedTest
  @EnumSource
  void whatIsRestoredIsWholeAndGoesOn(Dump format, PostgresServer server) throws SQLException {
    try (TestStorage storage = TestStorage.in(server)) {
      fill(storage);
      long last = storage.psql.number("SELECT naksha_txn_next()"); // nobody may get it again

      String url = server.copyByDump(storage.url, format);

      try (Features restored = Features.open(url, "store");
          Psql psql = Psql.connect(url)) {
        assertThat(all(psql)).isEqualTo(all(storage.psql)).hasSize(16);
        for (String collection : List.of("foo", "bar")) {
          assertThat(restored.checker().check(collection).flaws()).isEmpty();
        }
        List<Feature> versions = restored.read(r -> r.versions("foo", "u:a"));
        assertThat(versions)
            .extracting(state -> state.data().path("properties").path("n").intValue())
            .containsExactly(1, 2, 3);
        goesOn(restored, psql, last);
      }
    }
  }

  /** By the API and by plain SQL, with all triggers, and with later numbers. */
  private static void goesOn(Features restored, Psql psql, long last) throws SQLException {
    BatchResult result =
        restored.write(ALICE, "foo", List.of(upsert("u:a", 4), upsert("b", 4), Write.delete("c")));
    assertThat(result.done()).isTrue();
    psql.as("app", "me", "UPDATE bar SET geo = NULL");
    assertThat(psql.number("SELECT min(txn) FROM naksha_tx WHERE txn > " + last))
        .isEqualTo(last + 1);
    assertThat(psql.number("SELECT count(*) FROM naksha_tx WHERE txn > " + last)).isEqualTo(2);
    assertThat(
            psql.number(
                "SELECT count(DISTINCT i) FROM (SELECT i FROM foo UNION ALL"
                    + " SELECT i FROM foo_hst) AS states"))
        .isEqualTo(9);
    for (String collection : List.of("foo", "bar")) {
      assertThat(restored.checker().check(collection).flaws()).isEmpty();
    }
    assertThat(restored.log().sequence()).isEqualTo(5);
    assertThat(restored.log().fromNumber(1, 20))
        .extracting(LoggedTransaction::number)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 8).boxed().toList());
  }
}
