// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.events.EventBus;
import io.tidemark.events.model.BusOptions;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.InvalidNameException;
import io.tidemark.events.store.EventJson;
import io.tidemark.events.store.NamespaceKeys;
import io.tidemark.events.store.NamespaceKeys.Kind;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.testkit.objects.CountingBackend;
import io.tidemark.testkit.objects.FakeClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reading along. The objects are put as any program could, at times of the test's own. */
class TailTest {

  private static final Instant NOON = Instant.parse("2026-02-11T12:00:00Z");
  private static final NamespaceKeys LAYOUT = new NamespaceKeys("bus/", "default");

  private final FakeClock clock = new FakeClock(NOON);
  private final CountingBackend backend = new CountingBackend(new MemoryBackend(clock));
  private final ObjectStore store = new ObjectStore(backend, Retry.standard());
  private final EventBus bus = EventBus.open(store, "bus/", BusOptions.standard());

  private void publish(String id, Instant createdAt) {
    Event event = new Event(id, "default", "order.created", "{}", createdAt, 100, id, 0);
    put(NamespaceKeys.eventName(createdAt, id), EventJson.write(event).toString());
  }

  private void put(String name, String text) {
    var unused = store.put(LAYOUT.key(Kind.EVENTS, name), Body.of(text), Condition.none());
  }

  private static List<String> told(Tail tail) {
    List<String> ids = new ArrayList<>();
    assertThat(tail.poll(tailItem -> ids.add(tailItem.id()))).isTrue();
    return ids;
  }

  @Test
  void fromTheStartAllIsToldInTheOrderOfTimeAndEachOnce() {
    publish("b", NOON.minusSeconds(86_400));
    publish("a", NOON.minusSeconds(86_400).plusMillis(1));
    publish("c", NOON);
    Tail tail = Tail.fromStart(bus, "default");
    assertThat(told(tail)).containsExactly("b", "a", "c");
    assertThat(told(tail)).isEmpty();
    publish("d", NOON);
    assertThat(told(tail)).containsExactly("d");
  }

  @Test
  void fromNowOnlyWhatComesIsTold() {
    publish("old", NOON.minusSeconds(86_400));
    publish("young", NOON.minusSeconds(1));
    Tail tail = Tail.fromNow(bus, "default");
    assertThat(told(tail)).isEmpty();
    publish("new", NOON.minusMillis(1));
    assertThat(told(tail)).containsExactly("new");
  }

  @Test
  void whatTurnsUpLateIsToldLate() {
    Tail tail = Tail.fromNow(bus, "default");
    publish("quick", NOON.plusSeconds(1));
    assertThat(told(tail)).containsExactly("quick");
    clock.jump(Duration.ofSeconds(50));
    publish("slow", NOON.minusSeconds(5));
    assertThat(told(tail)).containsExactly("slow");
    assertThat(told(tail)).isEmpty();
  }

  @Test
  void copiesOfAnEventAreToldOnce() {
    Tail tail = Tail.fromStart(bus, "default");
    publish("a", NOON);
    publish("a", NOON.plusSeconds(1));
    assertThat(told(tail)).containsExactly("a");
    publish("a", NOON.plusSeconds(2));
    assertThat(told(tail)).isEmpty();
  }

  @Test
  void whoSaysEnoughIsToldTheRestTheNextTime() {
    publish("a", NOON.minusSeconds(500));
    publish("b", NOON.minusSeconds(400));
    publish("c", NOON);
    publish("d", NOON.plusSeconds(1));
    Tail tail = Tail.fromStart(bus, "default");
    List<String> ids = new ArrayList<>();
    for (int i = 1; i < 4; i++) {
      int enough = i;
      assertThat(tail.poll(tailItem -> ids.add(tailItem.id()) && ids.size() < enough)).isFalse();
    }
    assertThat(told(tail)).containsExactly("d");
    assertThat(ids).containsExactly("a", "b", "c");
  }

  @Test
  void whatIsNoEventIsToldWithTheReasonOrPassedOver() {
    put(NamespaceKeys.eventName(NOON, "broken"), "{");
    put("readme.txt", "hello");
    List<TailItem> all = new ArrayList<>();
    assertThat(Tail.fromStart(bus, "default").poll(all::add)).isTrue();
    assertThat(all).singleElement().isInstanceOf(TailItem.Unreadable.class);
    assertThat(all.get(0).createdAt()).isEqualTo(NOON);
  }

  @Test
  void anEventOfTheFarFutureHidesNothing() {
    publish("future", NOON.plusSeconds(86_400));
    Tail tail = Tail.fromStart(bus, "default");
    assertThat(told(tail)).isEmpty();
    publish("a", NOON);
    assertThat(told(tail)).containsExactly("a");
  }

  @Test
  void aLookCostsOneRequestAndOneForEachNewEventWhateverIsOlder() {
    for (int i = 0; i < 2_500; i++) {
      publish("old" + i, NOON.minusSeconds(86_400 - i));
    }
    Tail tail = Tail.fromNow(bus, "default");
    assertThat(backend.during(() -> told(tail)).total()).isEqualTo(1);
    publish("a", NOON);
    assertThat(backend.during(() -> told(tail)).total()).isEqualTo(2);
  }

  @Test
  void aNamespaceWithAnImpossibleNameIsRefused() {
    assertThatThrownBy(() -> Tail.fromNow(bus, "a/b")).isInstanceOf(InvalidNameException.class);
  }
}
