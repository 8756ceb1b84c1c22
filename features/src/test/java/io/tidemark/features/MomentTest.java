// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.model.Feature;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is there at a moment when transactions overlap: spec 1.2, decisions 6 and 11. */
@ExtendWith(ServerExtension.class)
class MomentTest {

  private final TestStorage storage;
  private final Psql psql;
  private final String c;

  MomentTest(PostgresServer server) {
    storage = TestStorage.in(server);
    psql = storage.psql;
    c = storage.small();
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private Instant now() throws SQLException {
    return psql.moment("clock_timestamp()");
  }

  private List<String> at(Instant moment) {
    List<String> queried = storage.ids(FeatureQuery.from(c).at(moment));
    List<Feature> read = storage.features.read(r -> r.byIdsAt(c, List.of("a", "b", "c"), moment));
    assertThat(read).extracting(f -> f.id().orElseThrow()).isEqualTo(queried);
    return queried;
  }

  /** The slow one begins first and is numbered last. */
  @Test
  void nothingIsThereOfATransactionThatBeganLater() throws SQLException {
    storage.put(c, "{\"id\": \"a\"}");
    try (Psql slow = Psql.connect(storage.url)) {
      slow.run("BEGIN", "SELECT naksha_tx_start('slow', 'sue')");
      Instant moment = now();
      storage.put(c, "{\"id\": \"b\"}");
      Instant later = now();
      slow.run("INSERT INTO %s (jsondata) VALUES ('{\"id\": \"c\"}')".formatted(c), "COMMIT");

      assertThat(at(moment)).containsExactly("a");
      assertThat(at(later)).containsExactly("a", "b", "c");
      assertThat(at(now())).containsExactly("a", "b", "c");
    }
  }

  /** The slow one has its number first, and ends last. */
  @Test
  void allIsThereThatWasCommittedByThen() throws SQLException {
    storage.put(c, "{\"id\": \"a\"}");
    try (Psql slow = Psql.connect(storage.url)) {
      slow.run("BEGIN", "SELECT naksha_tx_start('slow', 'sue')", "SELECT naksha_txn()");
      storage.put(c, "{\"id\": \"b\"}");
      Instant moment = now();
      storage.features.write(ALICE, c, List.of(Write.delete("b")));
      slow.run("INSERT INTO %s (jsondata) VALUES ('{\"id\": \"c\"}')".formatted(c), "COMMIT");

      assertThat(at(moment)).containsExactly("a", "b", "c");
    }
  }

  /** After a clock that was fast, numbers stay with the day they have come to. */
  @Test
  void numbersOfALaterDayThanTheMomentsCount() throws SQLException {
    psql.run("SELECT setval('naksha_tx_object_id_seq', naksha_txn(now() + interval '1 day', 0))");
    Instant before = now();
    storage.put(c, "{\"id\": \"a\"}");
    Instant between = now();
    storage.put(c, "{\"id\": \"b\"}");

    assertThat(at(before)).isEmpty();
    assertThat(at(between)).containsExactly("a");
    assertThat(at(now())).containsExactly("a", "b");
  }
}
