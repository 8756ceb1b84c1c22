// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.Field;
import io.tidemark.features.query.Order;
import io.tidemark.features.query.Page;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.Servers;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a handle has to remember, so that its page is one of the same answer. */
@ExtendWith(Servers.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HandlesTest {

  private TestStorage storage;

  @BeforeAll
  void open(PostgresServer shared) {
    storage = TestStorage.in(shared);
  }

  @AfterAll
  void close() {
    storage.close();
  }

  private Page page(FeatureQuery query) {
    return storage.features.read(r -> r.query(query));
  }

  private static List<String> ids(Page page) {
    return page.features().stream().map(feature -> feature.id().orElseThrow()).toList();
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

    Page first = page(query.build());
    storage.psql.run("SELECT naksha_tx_message('m', 'late')", "COMMIT");
    Page second = page(query.limit(10).after(first.next().orElseThrow()).build());

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
            .orderBy(Order.by(Field.property("t")).descending())
            .limit(1)
            .build();

    Page first = page(query);
    Page second = page(query.after(first.next().orElseThrow()));

    assertThat(ids(first)).containsExactly("c");
    assertThat(ids(second)).containsExactly("b");
  }
}
