// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.watch;

import static io.tidemark.names.watch.NameEvent.Type.APPEARED;
import static io.tidemark.names.watch.NameEvent.Type.MOVED;
import static io.tidemark.names.watch.NameEvent.Type.PURGED;
import static io.tidemark.names.watch.NameEvent.Type.UNREADABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.objects.Layout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that was told that a record can't be read goes away, and comes back later. */
class UnreadableTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final String MAIN = "ns@v2/mydb/main.json";

  private final ObjectStore store = new ObjectStore(new MemoryBackend(), Retry.standard());
  private Subscriptions cursor = Subscriptions.none();
  private String whole = "";

  /** Each client reads for itself, so that none remembers what was there before. */
  private NameService names() {
    return new NameService(
        new ObjectNameBackend(store, Layout.B, Retry.standard(), Clock.systemUTC()),
        NameOptions.standard().quiet());
  }

  private void put(String text) {
    store.put(MAIN, Body.of(text), Condition.none());
  }

  /** What a watch tells that goes on from the cursor, which stands behind it then. */
  private List<NameEvent.Type> told() throws InterruptedException {
    List<NameEvent.Type> types = new ArrayList<>();
    try (NameFeed feed = new NameFeed(names());
        Watch watch = feed.watch(WatchFilter.all(), Subscriptions.parse(cursor.toJson()))) {
      Optional<NameEvent> event = watch.next(Duration.ZERO);
      while (event.isPresent()) {
        types.add(event.get().type());
        event = watch.next(Duration.ZERO);
      }
      cursor = watch.cursor();
    }
    return types;
  }

  @BeforeEach
  void aRecordThatWasReadAndCannotBeAnyMore() throws InterruptedException {
    names().create(MYDB);
    whole = store.get(MAIN).orElseThrow().text();
    assertThat(told()).containsExactly(APPEARED);
    put("{");
    assertThat(told()).containsExactly(UNREADABLE);
  }

  @Test
  void theCursorSaysWhyItCannotBeRead_resumable() {
    assertThat(cursor.marks()).isEmpty();
    assertThat(cursor.unreadable()).containsOnlyKeys(MYDB);
    assertThat(cursor.unreadable().get(MYDB)).contains(MAIN, "is no JSON");
  }

  @Test
  void thatItStillCannotBeReadIsNotToldAgain_unique() throws InterruptedException {
    assertThat(told()).isEmpty();
  }

  @Test
  void anotherReasonIsTold_noSilentGap() throws InterruptedException {
    put("[]");
    assertThat(told()).containsExactly(UNREADABLE);
  }

  @Test
  void thatItIsGoneIsTold_noSilentGap() throws InterruptedException {
    store.delete(MAIN);
    assertThat(told()).containsExactly(PURGED);
    assertThat(cursor).isEqualTo(Subscriptions.none());
  }

  @Test
  void thatItCanBeReadAgainIsTold_noSilentGap() throws InterruptedException {
    put(whole);
    assertThat(told()).containsExactly(MOVED);
    assertThat(cursor.marks()).containsOnlyKeys(MYDB);
    assertThat(cursor.unreadable()).isEmpty();
  }
}
