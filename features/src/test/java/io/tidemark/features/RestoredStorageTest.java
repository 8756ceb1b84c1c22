// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.FeatureQueryPage;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A storage that was dumped and restored on a younger server holds ids of transactions that are
 * still to come there.
 */
@ExtendWith(ServerExtension.class)
class RestoredStorageTest {

  private TestStorage storage;

  @BeforeEach
  void open(PostgresServer shared) {
    storage = TestStorage.in(shared);
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private FeatureQueryPage page(FeatureQuery query) {
    return storage.features.read(r -> r.query(query));
  }

  @Test
  void pagesShowWhatCameWithTheDumpWhileTheServerCatchesUpWithItsIds() throws SQLException {
    String collection = storage.small();
    storage.put(collection, "{\"id\": \"a\"}", "{\"id\": \"b\"}", "{\"id\": \"c\"}");
    storage.psql.run("UPDATE naksha_tx SET psql_id = pg_current_xact_id()::text::bigint + 1000");
    FeatureQuery query = FeatureQuery.from(collection).limit(1).build();

    FeatureQueryPage first = page(query);
    FeatureQueryPage second = page(query.after(first.next().orElseThrow()));
    storage.psql.run(
        "SET synchronous_commit = off",
        "DO 'BEGIN FOR n IN 1..1500 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END'");
    FeatureQueryPage third = page(query.after(second.next().orElseThrow()));

    assertThat(first.features()).extracting(f -> f.id().orElseThrow()).containsExactly("a");
    assertThat(second.features()).extracting(f -> f.id().orElseThrow()).containsExactly("b");
    assertThat(third.features()).extracting(f -> f.id().orElseThrow()).containsExactly("c");
  }

  @Test
  void theSequencerDoesNotWaitForTransactionsOfTheOldServer() throws SQLException {
    message("a");
    storage.psql.run("SELECT naksha_sequence(1000)");
    long mark = storage.psql.number("SELECT mark_txn FROM naksha_sequencer");
    storage.psql.run("UPDATE naksha_sequencer SET mark_xid = mark_xid + 1000000000");
    message("b");

    assertThat(storage.psql.number("SELECT naksha_sequence(1000)")).isEqualTo(1);

    assertThat(mark).isPositive();
    assertThat(storage.psql.number("SELECT settled FROM naksha_sequencer")).isEqualTo(mark);
    assertThat(storage.psql.number("SELECT mark_xid FROM naksha_sequencer"))
        .isLessThan(storage.psql.number("SELECT pg_current_xact_id()"));
  }

  private void message(String id) throws SQLException {
    storage.psql.as("app", "me", "SELECT naksha_tx_message('%s', 'text')".formatted(id));
  }
}
