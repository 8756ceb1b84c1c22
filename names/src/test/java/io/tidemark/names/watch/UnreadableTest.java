// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.watch;

import static io.tidemark.names.watch.NameEvent.Type.APPEARED;
import static io.tidemark.names.watch.NameEvent.Type.MOVED;
import static io.tidemark.names.watch.NameEvent.Type.PURGED;
import static io.tidemark.names.watch.NameEvent.Type.UNREADABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.objects.DocumentLayout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that was told that a record can't be read goes away, and comes back later. */
class UnreadableTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final String MAIN = "ns@v2/mydb/main.json";

  private final ObjectStore store = new ObjectStore(new MemoryBackend(), Retry.standard());
  private WatchCheckpoint cursor = WatchCheckpoint.none();
  private String whole = "";

  /** Each client reads for itself, so that none remembers what was there before. */
  private NameService names() {
    return new NameService(
        new ObjectNameBackend(store, DocumentLayout.B, Retry.standard(), Clock.systemUTC()),
        NameOptions.standard().withoutNotifications());
  }

  private void put(String text) {
    store.put(MAIN, Body.of(text), Condition.none());
  }

  /** What a watch tells that goes on from the cursor, which stands behind it then. */
  private List<NameEvent.Type> told() throws InterruptedException {
    List<NameEvent.Type> types = new ArrayList<>();
    try (NameFeed feed = new NameFeed(names());
        Watch watch = feed.watch(WatchFilter.all(), WatchCheckpoint.parse(cursor.toJson()))) {
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
    assertThat(cursor).isEqualTo(WatchCheckpoint.none());
  }

  @Test
  void thatItCanBeReadAgainIsTold_noSilentGap() throws InterruptedException {
    put(whole);
    assertThat(told()).containsExactly(MOVED);
    assertThat(cursor.marks()).containsOnlyKeys(MYDB);
    assertThat(cursor.unreadable()).isEmpty();
  }

  /** A backend whose reader has a fault that one record brings to light. */
  private static NameBackend faulty(NameBackend backend) {
    return (NameBackend)
        Proxy.newProxyInstance(
            NameBackend.class.getClassLoader(),
            new Class<?>[] {NameBackend.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("list")
                  || (method.getName().equals("find") && arguments[0].equals(MYDB))) {
                throw new ArithmeticException("Underflow");
              }
              try {
                return method.invoke(backend, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void aFaultInReadingOneRecordEndsNoWatch_noSilentGap() throws InterruptedException {
    put(whole);
    names().create(Address.parse("other"));
    NameService names =
        new NameService(
            faulty(
                new ObjectNameBackend(
                    store, DocumentLayout.B, Retry.standard(), Clock.systemUTC())),
            NameOptions.standard().withoutNotifications());
    try (NameFeed feed = new NameFeed(names);
        Watch watch = feed.watch(WatchFilter.all())) {
      assertThat(watch.next(Duration.ZERO).orElseThrow().type()).isEqualTo(UNREADABLE);
      assertThat(watch.next(Duration.ZERO).orElseThrow().type()).isEqualTo(APPEARED);
      names.create(Address.parse("third"));
      assertThat(watch.next(Duration.ofMinutes(1)).orElseThrow().address())
          .isEqualTo(Address.parse("third"));
      assertThat(watch.cursor().unreadable().get(MYDB)).contains("Underflow", "a fault of this");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e2147483647", "10e2147483646", "0e2147483647", "1e-2147483647"})
  void aNumberWithAnExponentAtTheLimitCanBeWatched_noSilentGap(String number)
      throws InterruptedException {
    put(whole);
    assertThat(told()).containsExactly(MOVED);
    putStatus(number);
    assertThat(told()).containsExactly(MOVED);
    assertThat(told()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"100e2147483647", "1e2147483649", "1e99999999999"})
  void aNumberBeyondTheLimitMakesItsRecordUnreadable_noSilentGap(String number)
      throws InterruptedException {
    put(whole);
    names().create(Address.parse("other"));
    assertThat(told()).containsExactly(MOVED, APPEARED);
    putStatus(number);
    assertThat(told()).containsExactly(UNREADABLE);
    assertThat(cursor.unreadable()).containsOnlyKeys(MYDB);
    assertThat(cursor.marks()).containsOnlyKeys(Address.parse("other"));
  }

  private void putStatus(String number) {
    put(
        whole.replace(
            "\"f:status\"", "\"f:statusMeta\": {\"n\": " + number + "},\n  \"f:status\""));
  }
}
