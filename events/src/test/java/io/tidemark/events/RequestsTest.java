// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import static io.tidemark.events.EventsFixture.all;
import static io.tidemark.events.EventsFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.NewEvent;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.testkit.objects.Operation;
import io.tidemark.testkit.objects.RequestCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What things cost: it follows the work that is to be done, never the work that was done. Each test
 * leaves nothing to do to the next.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestsTest {

  private static final int FINISHED = 10_000;
  private static final List<String> HANDLERS = List.of("a", "b");

  private final EventsFixture fixture = new EventsFixture(new MemoryBackend());
  private final Namespace namespace = fixture.namespace();
  private final List<Delivery> claimed = new ArrayList<>();

  /** Many events that two handlers are through with. */
  @BeforeAll
  void finishMany() {
    poll(namespace);
    for (int i = 0; i < FINISHED / 500; i++) {
      for (int j = 0; j < 500; j++) {
        fixture.publish("t");
      }
      for (String handler : HANDLERS) {
        namespace.claim(all(handler, 500)).forEach(Delivery::ack);
      }
      fixture.pass(Duration.ofSeconds(5));
    }
    assertThat(fixture.paths("events/")).hasSize(FINISHED);
    finish();
  }

  /** Finishes what there is, and lets so much time pass that nothing of it is recent. */
  @AfterEach
  void finish() {
    claimed.forEach(Delivery::ack);
    fixture.pass(Duration.ofSeconds(31)); // what another process has had
    for (int i = 0; i < 20 || !claimed.isEmpty(); i++) {
      claimed.forEach(Delivery::ack);
      claimed.clear();
      poll(namespace);
      fixture.pass(Duration.ofSeconds(10));
    }
  }

  @AfterAll
  void close() {
    fixture.close();
  }

  private RequestCounts poll(Namespace of) {
    fixture.pass(Duration.ofSeconds(1));
    return fixture.during(
        () -> {
          for (String handler : HANDLERS) {
            claimed.addAll(of.claim(all(handler, 100)));
          }
        });
  }

  @Test
  void anIdlePollIsTwoRequestsAtMostWhateverWasBefore() {
    for (int i = 0; i < 500; i++) {
      fixture.publish("t");
    }
    HANDLERS.forEach(handler -> namespace.claim(all(handler, 500)).forEach(Delivery::ack));
    for (int i = 0; i < 100; i++) {
      RequestCounts requestCounts = poll(namespace);
      assertThat(requestCounts.total()).as(requestCounts.toString()).isLessThanOrEqualTo(2);
    }
    assertThat(claimed).isEmpty();
    fixture.pass(Duration.ofMinutes(5));
    for (int i = 0; i < HANDLERS.size(); i++) {
      assertThat(poll(namespace).total()).isLessThanOrEqualTo(2);
    }
    assertThat(poll(namespace).byOperation()).isEqualTo(Map.of(Operation.LIST, 1L));
  }

  @Test
  void aPollForAllHandlersIsAskedForOnce() {

    assertThat(fixture.during(namespace::poll).total()).isLessThanOrEqualTo(2);
    assertThat(
            fixture
                .during(() -> HANDLERS.forEach(handler -> namespace.claim(all(handler, 100))))
                .total())
        .isZero();
  }

  @Test
  void whatIsPendingCostsARequestEachAndTwoMore() {
    Namespace publisher = fixture.other();
    for (int i = 0; i < 100; i++) {
      publisher.publish(NewEvent.of("t", "{}"));
    }
    ClaimRequest request = all("a", 100);

    RequestCounts first = fixture.during(() -> claimed.addAll(namespace.claim(request)));

    assertThat(claimed).hasSize(100);
    assertThat(first.of(Operation.GET)).as("each event is read once").isEqualTo(100);
    assertThat(first.total()).isLessThanOrEqualTo(100 + 100 + 3);

    RequestCounts second = fixture.during(() -> claimed.addAll(namespace.claim(all("b", 100))));
    assertThat(claimed).hasSize(200);
    assertThat(second.byOperation())
        .as("by none but the first")
        .isEqualTo(Map.of(Operation.PUT, 100L));
  }

  @Test
  void whatIsPublishedHereNeedntBeReadAtAll() {
    for (int i = 0; i < 100; i++) {
      assertThat(fixture.during(() -> namespace.publish(NewEvent.of("t", "{}"))).total())
          .isEqualTo(1);
    }

    RequestCounts requestCounts =
        fixture.during(() -> claimed.addAll(namespace.claim(all("a", 100))));

    assertThat(claimed).hasSize(100);
    assertThat(requestCounts.total()).isLessThanOrEqualTo(102);
  }

  @Test
  void anAckAReleaseAndARenewalAreOneRequestEach() {
    for (int i = 0; i < 3; i++) {
      namespace.publish(NewEvent.of("t", "{}"));
    }
    List<Delivery> deliveries = namespace.claim(all("a", 3));

    assertThat(fixture.during(() -> deliveries.get(0).renew()).total()).isEqualTo(1);
    assertThat(fixture.during(() -> deliveries.get(0).ack()).total()).isEqualTo(1);
    assertThat(fixture.during(() -> deliveries.get(1).release("no")).total()).isEqualTo(1);
    assertThat(fixture.during(() -> namespace.sessions().heartbeat("s")).total())
        .isLessThanOrEqualTo(2);
    assertThat(fixture.during(() -> namespace.sessions().heartbeat("s")).total()).isEqualTo(1);
  }

  @Test
  void aNewProcessBeginsWhereTheOldOneEnded() {
    EventBus bus = fixture.bus();
    poll(bus.namespace("default"));
    fixture.publish("t");
    poll(bus.namespace("default"));
    assertThat(claimed).hasSize(HANDLERS.size());
    finish();
    bus.close();
    RequestCounts requestCounts = poll(fixture.other());

    assertThat(claimed).isEmpty();
    assertThat(requestCounts.of(Operation.GET)).as("a cursor each, and nothing else").isEqualTo(2);
    assertThat(requestCounts.of(Operation.PUT)).isZero();
    assertThat(requestCounts.of(Operation.LIST)).isLessThanOrEqualTo(3);
  }

  @Test
  void aProcessThatWasKilledLeavesLittleToFindOut() {
    RequestCounts requestCounts = poll(fixture.other());

    assertThat(claimed).isEmpty();
    assertThat(requestCounts.total()).as(requestCounts.toString()).isLessThanOrEqualTo(5);
  }

  @Test
  void aHandlerThatComesLaterGetsEverything() {
    int there = fixture.paths("events/").size();
    Namespace other = fixture.other();
    int got = 0;
    for (List<Delivery> some = other.claim(all("d", 1_000));
        !some.isEmpty();
        some = other.claim(all("d", 1_000))) {
      got += some.size();
      some.forEach(Delivery::ack);
    }
    assertThat(got).isEqualTo(there);
  }

  @Test
  void lateArrivalsAreFoundAmongVeryMany() {
    EventBus bus = fixture.bus();
    Namespace publisher = fixture.bus().namespace("late");
    Namespace consumer = bus.namespace("late");
    assertThat(consumer.claim(all("a", 9))).isEmpty();
    List<String> late = new ArrayList<>();
    List<String> found = new ArrayList<>();
    for (int second = 0; second < 40; second++) {
      for (int i = 0; i < 100; i++) {
        publisher.publish(NewEvent.of("t", "{}"));
      }
      String id = "late-" + second;
      publisher.publish(
          NewEvent.of("t", "{}").withId(id).at(fixture.now().minusSeconds(29).minusMillis(second)));
      late.add(id);
      fixture.pass(Duration.ofSeconds(1));
      List<Delivery> some = consumer.claim(all("a", 500));
      found.addAll(ids(some));
      some.forEach(Delivery::ack);
    }
    for (int i = 0; i < 20; i++) {
      fixture.pass(Duration.ofSeconds(1));
      found.addAll(ids(consumer.claim(all("a", 500))));
    }
    assertThat(found).containsAll(late).doesNotHaveDuplicates().hasSize(40 * 101);
  }
}
