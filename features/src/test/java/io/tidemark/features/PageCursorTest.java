// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.query.FeatureField;
import io.tidemark.features.query.FeatureOrder;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.FeatureQueryPage;
import io.tidemark.features.write.Transaction;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a handle has to remember, so that its page is one of the same answer. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageCursorTest {

  private TestStorage storage;

  @BeforeAll
  void open(PostgresServer shared) {
    storage = TestStorage.in(shared);
  }

  @AfterAll
  void close() {
    storage.close();
  }

  private FeatureQueryPage page(FeatureQuery query) {
    return storage.features.read(r -> r.query(query));
  }

  private static List<String> ids(FeatureQueryPage featurePage) {
    return featurePage.features().stream().map(feature -> feature.id().orElseThrow()).toList();
  }

  @Test
  void pagesOfATimeStayWithTheVersionOfTheFirstThoughALateTransactionIsOfThatTimeToo()
      throws SQLException {
    String collection = storage.small();
    storage.put(collection, "{\"id\": \"a\"}", "{\"id\": \"b\"}");
    // It begins before the moment, and is in the log only after the first page.
    storage.psql.run("BEGIN", "SELECT naksha_tx_start('app', 'late')");
    String now =
        "SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')";
    OffsetDateTime moment = OffsetDateTime.parse(storage.psql.value(now));
    storage.put(collection, "{\"id\": \"after\"}");
    FeatureQuery.Builder query = FeatureQuery.from(collection).at(moment.toInstant()).limit(1);

    FeatureQueryPage first = page(query.build());
    storage.psql.run("SELECT naksha_tx_message('m', 'late')", "COMMIT");
    FeatureQueryPage second = page(query.limit(10).after(first.next().orElseThrow()).build());

    assertThat(ids(first)).containsExactly("a");
    assertThat(ids(second)).containsExactly("b");
  }

  @Test
  void aPlaceBetweenLongTextsCanBeGoneBackTo() {
    String collection = storage.small();
    String text = "x".repeat(200_000);
    for (String id : List.of("c", "b", "a")) {
      storage.put(
          collection,
          "{\"id\": \"%s\", \"properties\": {\"t\": \"%s%s\"}}".formatted(id, text, id));
    }
    FeatureQuery query =
        FeatureQuery.from(collection)
            .orderBy(FeatureOrder.by(FeatureField.property("t")).descending())
            .limit(1)
            .build();

    FeatureQueryPage first = page(query);
    FeatureQueryPage second = page(query.after(first.next().orElseThrow()));

    assertThat(ids(first)).containsExactly("c");
    assertThat(ids(second)).containsExactly("b");
  }

  @Test
  void aHandleOfOneListOfIdsFitsNoOtherThatReadsTheSame() {
    String collection = storage.small();
    storage.put(collection, "{\"id\": \"a\"}", "{\"id\": \"b\"}", "{\"id\": \"a, b\"}");
    FeatureQuery two = FeatureQuery.from(collection).ids(List.of("a", "b")).limit(1).build();
    FeatureQuery one = FeatureQuery.from(collection).ids(List.of("a, b")).limit(1).build();
    String next = page(two).next().orElseThrow();

    assertThat(ids(page(two.after(next)))).containsExactly("b");
    assertThatThrownBy(() -> page(one.after(next)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("belongs to another query");
  }

  /** The lock lets the reader look at the storage, and keeps it from the page until the commit. */
  @Test
  void theFirstPageOfATransactionIsOfTheMomentThatItsHandleNames() throws SQLException {
    String collection = storage.small();
    storage.put(collection, "{\"id\": \"a\"}", "{\"id\": \"m\"}", "{\"id\": \"n\"}");
    FeatureQuery query = FeatureQuery.from(collection).limit(1).build();
    try (Transaction reader = storage.features.begin(ALICE)) {
      CompletableFuture<FeatureQueryPage> first = whileMoving(collection, "a", reader, query);

      assertThat(ids(first.join())).containsExactly("m");
      FeatureQuery rest = query.after(first.join().next().orElseThrow());
      FeatureQueryPage second = reader.reading().query(rest);
      assertThat(ids(second)).containsExactly("n");
      FeatureQueryPage third = reader.reading().query(query.after(second.next().orElseThrow()));
      assertThat(ids(third)).containsExactly("z");
    }
  }

  @Test
  void aLaterPageOfATransactionIsOfTheMomentOfTheFirst() throws SQLException {
    String collection = storage.small();
    storage.put(collection, "{\"id\": \"a\"}", "{\"id\": \"m\"}");
    FeatureQuery query = FeatureQuery.from(collection).limit(1).build();
    FeatureQuery rest = query.after(page(query).next().orElseThrow());
    try (Transaction reader = storage.features.begin(ALICE)) {
      CompletableFuture<FeatureQueryPage> second = whileMoving(collection, "m", reader, rest);

      assertThat(ids(second.join())).containsExactly("m");
      assertThat(second.join().next()).isEmpty();
    }
  }

  /** Asks while somebody deletes a feature and creates another, and commits in the middle of it. */
  private CompletableFuture<FeatureQueryPage> whileMoving(
      String collection, String gone, Transaction reader, FeatureQuery query) throws SQLException {
    storage.psql.run(
        "BEGIN",
        "SELECT naksha_tx_start('app', 'mover')",
        "DELETE FROM %s WHERE jsondata->>'id' = '%s'".formatted(collection, gone),
        "INSERT INTO %s (jsondata) VALUES ('{\"id\": \"z\"}')".formatted(collection),
        "LOCK TABLE %s IN ACCESS EXCLUSIVE MODE".formatted(collection));
    CompletableFuture<FeatureQueryPage> page =
        CompletableFuture.supplyAsync(() -> reader.reading().query(query));
    try (Psql watch = Psql.connect(storage.url)) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (watch.number(
              "SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted AND a.datname = current_database()")
          == 0) {
        assertThat(System.nanoTime()).as("waited for too long").isLessThan(end);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
    }
    storage.psql.run("COMMIT");
    return page;
  }
}
