// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import static io.tidemark.events.EventsFixture.all;
import static io.tidemark.events.EventsFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.NewEvent;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.testkit.objects.Race;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several threads and processes that want the same. */
class RacesTest {

  private static final int THREADS = 4;
  private static final int EVENTS = 200;

  private final EventsFixture fixture = new EventsFixture(new MemoryBackend());

  @AfterEach
  void close() {
    fixture.close();
  }

  /** As many processes as threads, or one that all share. */
  private List<Namespace> processes(int count) {
    List<Namespace> processes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      processes.add(fixture.other());
    }
    return processes;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, THREADS})
  void aClaimHasOneWinner(int count) throws Exception {
    List<Namespace> processes = processes(count);
    fixture.publishAll(EVENTS);
    List<List<String>> won =
        Race.run(
            THREADS,
            thread -> {
              Namespace namespace = processes.get(thread % count);
              List<String> mine = new ArrayList<>();
              for (List<Delivery> some = namespace.claim(all("h", 7));
                  !some.isEmpty();
                  some = namespace.claim(all("h", 7))) {
                mine.addAll(ids(some));
              }
              return mine;
            });

    List<String> together = won.stream().flatMap(List::stream).toList();
    assertThat(together).doesNotHaveDuplicates().hasSize(EVENTS);
  }

  @Test
  void aLeaseThatRanOutHasOneHeir() throws Exception {
    List<Namespace> processes = processes(THREADS);
    for (int round = 0; round < 50; round++) {
      fixture.publish("t");
      List<Delivery> stale = fixture.namespace().claim(all("h", 1));
      processes.forEach(process -> assertThat(process.claim(all("h", 1))).isEmpty());
      fixture.pass(Duration.ofSeconds(31));
      List<List<Delivery>> won =
          Race.run(
              THREADS + 1,
              thread -> {
                if (thread < THREADS) {
                  return processes.get(thread).claim(all("h", 1));
                }
                return stale.get(0).ack().settled() ? stale : List.of();
              });
      List<Delivery> winners = won.stream().flatMap(List::stream).toList();
      assertThat(winners).hasSize(1);
      winners.get(0).ack();
    }
  }

  @Test
  void everyHandlerGetsEverythingWhileItIsPublished() throws Exception {
    List<Namespace> processes = processes(2);
    Set<String> published = ConcurrentHashMap.newKeySet();
    Set<String> handled = ConcurrentHashMap.newKeySet();
    AtomicInteger twice = new AtomicInteger();
    AtomicInteger publishing = new AtomicInteger(2);
    Race.run(
        6,
        thread -> {
          if (thread < 2) {
            for (int i = 0; i < EVENTS; i++) {
              published.add(fixture.namespace().publish(NewEvent.of("t", "{}")).event().id());
            }
            return publishing.decrementAndGet();
          }
          String handler = thread < 4 ? "one" : "two";
          Namespace namespace = processes.get(thread % 2);
          boolean last = false;
          while (!last) {
            last = publishing.get() == 0;
            for (List<Delivery> some = namespace.claim(all(handler, 5));
                !some.isEmpty();
                some = namespace.claim(all(handler, 5))) {
              for (Delivery delivery : some) {
                twice.addAndGet(handled.add(delivery.idempotencyKey()) ? 0 : 1);
                assertThat(delivery.ack().settled()).isTrue();
              }
            }
          }
          return 0;
        });

    assertThat(published).hasSize(2 * EVENTS);
    for (String id : published) {
      assertThat(handled).contains("default/" + id + "/one", "default/" + id + "/two");
    }
    assertThat(twice).hasValue(0);
  }

  @Test
  void aDeadLetterIsToldOfOnceHoweverManySeeIt() throws Exception {
    Event event = fixture.publish("t");
    List<Namespace> processes = processes(THREADS);
    ClaimRequest request = new ClaimRequest("h", EventTypeFilter.in("t"), 5, "s");
    for (int i = 0; i < 10; i++) {
      assertThat(fixture.other().claim(request)).hasSize(1);
      fixture.pass(Duration.ofSeconds(31));
    }

    Race.run(THREADS, thread -> processes.get(thread).claim(request).size());

    assertThat(fixture.namespace().inspect(event.id()).orElseThrow().deadLetters()).hasSize(1);
    assertThat(fixture.stored("event.dead_letter")).hasSize(1);
  }

  @Test
  void aDeliveryIsRenewedAndSettledByDifferentThreads() throws Exception {
    for (int round = 0; round < 50; round++) {
      fixture.publish("t");
      Delivery delivery = fixture.claimOne("h");
      List<Boolean> done =
          Race.run(
              2,
              thread -> {
                if (thread == 0) {
                  return delivery.ack().settled();
                }
                for (int i = 0; i < 5; i++) {
                  delivery.renew();
                }
                return false;
              });
      assertThat(done.get(0)).isTrue();
    }
  }
}
