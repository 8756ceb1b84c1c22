// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import static io.tidemark.events.EventsFixture.NS;
import static io.tidemark.events.EventsFixture.all;
import static io.tidemark.events.EventsFixture.ids;
import static io.tidemark.events.EventsFixture.only;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.BusOptions;
import io.tidemark.events.model.BusOptions.Limits;
import io.tidemark.events.model.Cleanup;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.NewEvent;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.testkit.objects.Operation;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What cursors say is true, also later; and what a process keeps in mind has an end. */
class HandlerCursorTest {

  private final EventsFixture fixture = new EventsFixture(new MemoryBackend());

  @AfterEach
  void close() {
    fixture.close();
  }

  private void handle(String handler) {
    fixture
        .namespace()
        .claim(all(handler, 10))
        .forEach(delivery -> assertThat(delivery.ack().settled()).isTrue());
  }

  /** Until nothing new can appear, with a look every now and then. */
  private void passLong(String handler) {
    for (int i = 0; i < 6; i++) {
      fixture.pass(Duration.ofSeconds(31));
      handle(handler);
    }
  }

  private ObjectNode cursor(String handler) {
    return fixture.json("cursors/" + NS + "/" + handler + ".json");
  }

  @Test
  void anIdThatWasCleanedUpMayComeAgain() {
    NewEvent event = NewEvent.of("t", "{}").withId("again");
    fixture.publish(event);
    handle("h");
    passLong("h");
    assertThat(cursor("h").path("up_to").asText()).contains("again");
    assertThat(cursor("h").path("finished")).isEmpty();

    assertThat(fixture.namespace().cleanup(Cleanup.before(fixture.now())).events()).isEqualTo(1);
    fixture.publish(event);

    assertThat(ids(fixture.other().claim(all("h", 10)))).containsExactly("again");
  }

  @Test
  void whileNothingHappensNoneIsWritten() {
    fixture.publishAll(3);
    handle("h");
    passLong("h");

    assertThat(fixture.during(() -> passLong("h")).of(Operation.PUT)).isZero();
  }

  @Test
  void aCopyOfWhatIsDoneHoldsNobodyUp() {
    Event first = fixture.publish(NewEvent.of("t", "{}").withId("x"));
    assertThat(only(fixture.namespace().claim(all("slow", 1))).event()).isEqualTo(first);
    handle("h");
    passLong("h");
    fixture.other().publish(NewEvent.of("t", "{}").withId("x"));
    passLong("h");
    fixture.publish(NewEvent.of("t", "{}").withId("y"));
    passLong("h");

    assertThat(cursor("h").path("up_to").asText()).contains("_y");
    assertThat(fixture.namespace().backlog("h").isEmpty()).isTrue();
  }

  @Test
  void whoPublishesMoreThanItHandlesKeepsNotAllInMind() {
    BusOptions few = fixture.options().withLimits(new Limits(1_000, 20, 1));
    Namespace namespace = fixture.other(few);
    assertThat(namespace.claim(all("h", 1))).isEmpty();
    for (int i = 0; i < 50; i++) {
      namespace.publish(NewEvent.of("t", "{}").withId("e" + i));
    }
    assertThat(namespace.backlog("h").claimable()).isLessThanOrEqualTo(10);

    Set<String> handled = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      fixture.pass(Duration.ofSeconds(2));
      for (Delivery delivery : namespace.claim(all("h", 5))) {
        assertThat(delivery.ack().settled()).isTrue();
        handled.add(delivery.event().id());
      }
    }
    assertThat(handled).hasSize(50);
  }
}
