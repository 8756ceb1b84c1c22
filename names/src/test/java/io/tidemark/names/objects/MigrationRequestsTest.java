// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.Migrated;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.Ref;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a migration asks of the store. */
class MigrationRequestsTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final String OLD =
      "{\"@type\":[\"f:Database\"],\"f:commit\":{\"@id\":\"c\"},\"f:t\":1,"
          + "\"f:index\":{\"@id\":\"i\",\"f:t\":1}}";

  private final CountingRequests requests = new CountingRequests();
  private final ObjectStore store = new ObjectStore(requests, Retry.standard());

  @Test
  void whereNothingIsOldEachDocumentIsReadOnce() {
    NameService names = new NameService(open(), NameOptions.standard().quiet());
    names.create(MYDB);
    names.ledgers().publishIndex(MYDB, Ref.of("i1", 1));
    requests.take();
    migrate(MigrationMode.APPLY);
    assertThat(requests.take())
        .containsExactly(
            "LIST ns@v2/",
            "GET ns@v2/mydb/main.json",
            "GET ns@v2/mydb/main.index.json",
            "LIST ns@v1/",
            "LIST ");
  }

  @Test
  void aDocumentIsRewrittenByOneWriteForEachPartOfTheRecord() {
    put("ns@v2/mydb/main.json", OLD);
    requests.take();
    migrate(MigrationMode.APPLY);
    assertThat(requests.take())
        .containsExactly(
            "LIST ns@v2/",
            "GET ns@v2/mydb/main.json",
            "GET ns@v2/mydb/main.index.json",
            "PUT ns@v2/mydb/main.index.json",
            "PUT ns@v2/mydb/main.json",
            "LIST ns@v1/",
            "LIST ");
  }

  @Test
  void theNewDocumentIsWrittenBeforeTheOldOneGoes() {
    put("ns@v1/mydb@main.json", OLD);
    requests.take();
    migrate(MigrationMode.APPLY);
    assertThat(requests.take().stream().filter(r -> r.startsWith("PUT") || r.startsWith("DEL")))
        .containsExactly(
            "PUT ns@v2/mydb/main.json",
            "PUT ns@v2/mydb/main.index.json",
            "PUT ns@v2/mydb/main.json",
            "DELETE ns@v1/mydb@main.json");
  }

  @Test
  void aDryRunOnlyReads() {
    put("ns@v1/mydb@main.json", OLD);
    put("ns@v2/other/main.json", OLD);
    put("led.json", "{\"ledgerAlias\":\"led\",\"branches\":[{}]}");
    requests.take();
    assertThat(migrate(MigrationMode.DRY_RUN)).hasSize(3);
    assertThat(requests.take()).noneMatch(r -> r.startsWith("PUT") || r.startsWith("DELETE"));
  }

  private List<Migrated> migrate(MigrationMode mode) {
    try (Stream<Migrated> lines = open().migrate(mode)) {
      return lines.toList();
    }
  }

  private ObjectNameBackend open() {
    return new ObjectNameBackend(store, Layout.B, Retry.standard(), Clock.systemUTC());
  }

  private void put(String key, String text) {
    store.put(key, Body.of(text), Condition.none());
  }
}
