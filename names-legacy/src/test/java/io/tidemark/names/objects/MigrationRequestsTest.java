// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.Ref;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend.Content;
import io.tidemark.objects.ObjectBackend.Head;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.Retry;
import io.tidemark.objects.WriteResult;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a migration asks of the store. */
class MigrationRequestsTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final String OLD =
      "{\"@type\":[\"f:Database\"],\"f:commit\":{\"@id\":\"c\"},\"f:t\":1,"
          + "\"f:index\":{\"@id\":\"i\",\"f:t\":1}}";

  private final Recorder requests = new Recorder();
  private final ObjectStore store = new ObjectStore(requests, Retry.standard());

  @Test
  void whereNothingIsOldEachDocumentIsReadOnce() {
    NameService names = new NameService(open(), NameOptions.standard().withoutNotifications());
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

  private List<MigrationEntry> migrate(MigrationMode mode) {
    try (Stream<MigrationEntry> lines = open().migrate(mode)) {
      return lines.toList();
    }
  }

  private ObjectNameBackend open() {
    return new ObjectNameBackend(store, DocumentLayout.B, Retry.standard(), Clock.systemUTC());
  }

  private void put(String key, String text) {
    store.put(key, Body.of(text), Condition.none());
  }

  /** Store in memory that writes down what it is asked. */
  private static final class Recorder extends ForwardingBackend {
    private final List<String> requests = new CopyOnWriteArrayList<>();

    Recorder() {
      super(new MemoryBackend());
    }

    /** Returns what was asked since the last time. */
    List<String> take() {
      List<String> taken = List.copyOf(requests);
      requests.clear();
      return taken;
    }

    @Override
    public ReadResult<Content> get(String key, Optional<ETag> known) {
      requests.add("GET " + key);
      return super.get(key, known);
    }

    @Override
    public Optional<Head> head(String key) {
      requests.add("HEAD " + key);
      return super.head(key);
    }

    @Override
    public WriteResult put(String key, Body body, Condition condition, String attempt) {
      requests.add("PUT " + key);
      return super.put(key, body, condition, attempt);
    }

    @Override
    public DeleteResult delete(String key, Optional<ETag> expected) {
      requests.add("DELETE " + key);
      return super.delete(key, expected);
    }

    @Override
    public Stream<Listing.Entry> list(Listing listing) {
      requests.add("LIST " + listing.prefix());
      return super.list(listing);
    }
  }
}
