// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.model.Actor;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.CollectionNotFoundException;
import io.tidemark.features.model.Feature;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.Transaction;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A batch that waits for somebody who changes the collection goes by what it is then; F8. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChangedOptionsTest {

  private static final Actor NOBODY = Actor.app("app1");

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

  /** Writes while somebody has changed the collection and hasn't committed that. */
  private CompletableFuture<BatchResult> writeDuring(String c, String change) throws SQLException {
    psql.run("BEGIN", "SELECT naksha_tx_start('app', 'me')", change);
    List<Write> create = List.of(Write.create(Feature.parse("{\"id\": \"u:7\"}")));
    CompletableFuture<BatchResult> written =
        CompletableFuture.supplyAsync(() -> storage.features.write(NOBODY, c, create));
    awaitWaiting();
    psql.run("COMMIT");
    return written;
  }

  private void awaitWaiting() throws SQLException {
    try (Psql other = Psql.connect(storage.url)) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (other.number("SELECT count(*) FROM pg_locks WHERE NOT granted") == 0) {
        assertThat(System.nanoTime()).as("it waits").isLessThan(end);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
    }
  }

  /** Whoever writes when history is switched off writes all of it with history, or nothing. */
  @Test
  void b21HistoryIsSwitchedOffAndOnBetweenTransactionsAndNeverWithinOne() throws SQLException {
    String c = storage.small();
    storage.put(c, "{\"id\": \"x\"}");
    String update = "UPDATE %s SET jsondata = jsondata".formatted(c);
    String kept = "SELECT count(*) FROM %s_hst".formatted(c);
    for (boolean on : List.of(false, true)) {
      psql.run("BEGIN", "SELECT naksha_tx_start('psql', 'bob')", update);
      CompletableFuture<CollectionInfo> switched =
          CompletableFuture.supplyAsync(
              () -> storage.features.transact(NOBODY, tx -> history(tx, c, on)));
      awaitWaiting();
      psql.run(update, "COMMIT");

      assertThat(switched.join().historyEnabled()).isEqualTo(on);
      assertThat(psql.number(kept)).as("states before it is switched").isEqualTo(2);
      psql.as("psql", "bob", update);
      assertThat(psql.number(kept)).as("states after it").isEqualTo(on ? 3 : 2);
    }
  }

  private static CollectionInfo history(Transaction tx, String c, boolean on) {
    CollectionOptions none = CollectionOptions.none();
    return tx.collections().update(c, on ? none.withHistory() : none.withoutHistory());
  }

  @Test
  void f8APrefixAndAnAuthorThatComeMeanwhileCount() throws SQLException {
    String c = storage.small();
    String change =
        "SELECT naksha_collection_update('%s', '{\"idPrefix\": \"u:\", \"author\": \"bot\"}')"
            .formatted(c);

    assertThat(writeDuring(c, change).join().done()).isTrue();

    assertThat(psql.values("SELECT jsondata->>'id' FROM " + c)).containsExactly("7");
    JsonNode xyz = psql.xyz(c).get(0);
    assertThat(xyz.path("author").asText()).isEqualTo("bot");
  }

  @Test
  void aCollectionThatIsDeletedOrPurgedMeanwhileIsNotFound() throws SQLException {
    for (String end : List.of("delete", "purge")) {
      String c = storage.small();
      CompletableFuture<BatchResult> written =
          writeDuring(c, "SELECT naksha_collection_%s('%s')".formatted(end, c));

      assertThatThrownBy(written::join)
          .as(end)
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(CollectionNotFoundException.class);
    }
  }
}
