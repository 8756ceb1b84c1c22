// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import static io.tidemark.events.EventsFixture.all;
import static io.tidemark.events.EventsFixture.claimPath;
import static io.tidemark.events.EventsFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.Backlog;
import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.Settlement;
import io.tidemark.objects.UtcTimestamp;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How handlers get events. */
interface ClaimContract {

  EventsFixture fixture();

  @Test
  default void j1_theUrgentComeFirst() {
    List<String> published =
        IntStream.of(1, 900, 100)
            .mapToObj(p -> fixture().publish(NewEvent.of("t", "{}").withPriority(p)).id())
            .toList();

    assertThat(ids(fixture().other().claim(all("h", 10))))
        .containsExactly(published.get(1), published.get(2), published.get(0));
  }

  @Test
  default void j1_thoseOfOnePriorityComeByTimeAndThenById() {
    NewEvent event = NewEvent.of("t", "{}");
    fixture().publish(event.withId("c").at(fixture().now().minusSeconds(2)));
    fixture().publish(event.withId("b").at(fixture().now()));
    fixture().publish(event.withId("a").at(fixture().now()));

    assertThat(ids(fixture().other().claim(all("h", 10)))).containsExactly("c", "a", "b");
  }

  @Test
  default void j1_noMoreAreClaimedThanAskedFor() {
    List<String> published = fixture().publishAll(5).stream().map(Event::id).toList();

    assertThat(ids(fixture().namespace().claim(all("h", 2))))
        .containsExactlyElementsOf(published.subList(0, 2));
    assertThat(ids(fixture().namespace().claim(all("h", 2))))
        .containsExactlyElementsOf(published.subList(2, 4));
    assertThat(ids(fixture().namespace().claim(all("h", 2))))
        .containsExactlyElementsOf(published.subList(4, 5));
  }

  @Test
  default void aClaimIsStoredAsItIsLaidOut() {
    Event event = fixture().publish("t");
    Delivery delivery = fixture().claimOne("billing.handle_order");

    ObjectNode json = fixture().json(claimPath(event.id(), "billing.handle_order"));
    String now = UtcTimestamp.format(fixture().now());
    assertThat(json.path("event_id").asText()).isEqualTo(event.id());
    assertThat(json.path("handler_id").asText()).isEqualTo("billing.handle_order");
    assertThat(json.path("session_id").asText()).isEqualTo("session-billing.handle_order");
    assertThat(json.path("claimed_at").asText()).isEqualTo(now);
    assertThat(json.path("lease_until").asText())
        .isEqualTo(UtcTimestamp.format(fixture().now().plusSeconds(30)));
    assertThat(json.path("available_at").asText()).isEqualTo(now);
    assertThat(json.path("attempts").asInt()).isZero();
    assertThat(json.path("ack_at").isNull()).isTrue();
    assertThat(json.path("last_error").isNull()).isTrue();
    assertThat(json.path("dead_lettered_at").isNull()).isTrue();
    assertThat(delivery.attempt()).isEqualTo(1);
    assertThat(delivery.leaseUntil()).isEqualTo(fixture().now().plusSeconds(30));
    assertThat(delivery.idempotencyKey())
        .isEqualTo("default/" + event.id() + "/billing.handle_order");
  }

  @Test
  default void j2_twoSessionsGetDifferentEvents() {
    List<String> published = fixture().publishAll(6).stream().map(Event::id).toList();
    Namespace other = fixture().other();

    List<String> mine = ids(fixture().namespace().claim(all("h", 3)));
    List<String> others = ids(other.claim(all("h", 6)));

    assertThat(Stream.concat(mine.stream(), others.stream()))
        .containsExactlyInAnyOrderElementsOf(published);
  }

  @Test
  default void j2_whatIsClaimedIsClaimableWhenItsLeaseHasRunOut() {
    Event event = fixture().publish("t");
    fixture().claimOne("h");
    Namespace other = fixture().other();
    assertThat(other.claim(all("h", 10))).isEmpty();
    assertThat(fixture().namespace().claim(all("h", 10))).isEmpty();
    fixture().pass(Duration.ofSeconds(30).minusNanos(1_000));
    assertThat(other.claim(all("h", 10))).isEmpty();

    fixture().pass(Duration.ofNanos(1_000));
    List<Delivery> again = other.claim(all("h", 10));

    assertThat(ids(again)).containsExactly(event.id());
    assertThat(again.get(0).claim().attempts()).as("attempts stay").isZero();
    assertThat(again.get(0).claim().leaseExpiries()).isEqualTo(1);
    assertThat(again.get(0).attempt()).isEqualTo(2);
    assertThat(fixture().namespace().claim(all("h", 10))).isEmpty();
  }

  @Test
  default void j3_whatIsAcknowledgedNeverComesAgainToThatHandler() {
    Event event = fixture().publish("t");
    Delivery delivery = fixture().claimOne("h");
    assertThat(delivery.ack()).isInstanceOf(Settlement.Settled.class);
    fixture().pass(Duration.ofDays(1));

    assertThat(fixture().namespace().claim(all("h", 10))).isEmpty();
    assertThat(fixture().other().claim(all("h", 10))).isEmpty();
    assertThat(ids(fixture().namespace().claim(all("other", 10)))).containsExactly(event.id());
    assertThat(fixture().json(claimPath(event.id(), "h")).path("ack_at").isTextual()).isTrue();
  }

  @Test
  default void aHandlerGetsOnlyTheTypesItWants() {
    fixture().publish("a.b");
    Event wanted = fixture().publish("a.c");
    ClaimRequest request = new ClaimRequest("h", EventTypeFilter.in("a.c", "x"), 10, "s");

    assertThat(ids(fixture().namespace().claim(request))).containsExactly(wanted.id());
    assertThat(fixture().paths("claims/")).hasSize(1);
  }

  @Test
  default void aHandlerThatWantsOtherTypesNowGetsThoseOfBefore() {
    Event early = fixture().publish("a.b");
    Event wanted = fixture().publish("a.c");
    EventBus bus = fixture().bus();
    bus.namespace("default")
        .claim(new ClaimRequest("h", EventTypeFilter.in("a.c"), 10, "s"))
        .forEach(Delivery::ack);
    bus.close();

    assertThat(ids(fixture().other().claim(all("h", 10))))
        .containsExactly(early.id())
        .doesNotContain(wanted.id());
  }

  @Test
  default void eventsOfOtherProcessesAreFoundAsTheyCome() {
    Namespace consumer = fixture().other();
    assertThat(consumer.claim(all("h", 10))).isEmpty();
    for (int i = 0; i < 5; i++) {
      Event event = fixture().publish("t");
      assertThat(ids(consumer.claim(all("h", 10)))).containsExactly(event.id());
      fixture().pass(Duration.ofSeconds(7));
    }
  }

  @Test
  default void anEventThatAppearsBeforeOthersIsFound() {
    Namespace consumer = fixture().other();
    fixture().publish("t");
    assertThat(consumer.claim(all("h", 10))).hasSize(1);

    fixture().publish(NewEvent.of("t", "{}").withId("late").at(fixture().now().minusSeconds(29)));

    assertThat(ids(consumer.claim(all("h", 10)))).containsExactly("late");
  }

  @Test
  default void aDeliveryCanBeSettledByAnotherProcess() {
    Event event = fixture().publish("t");
    fixture().claimOne("h");
    Namespace other = fixture().other();

    assertThat(other.heldDelivery(event.id(), "h", "somebody")).isEmpty();
    assertThat(other.heldDelivery("nothing", "h", "session-h")).isEmpty();
    Delivery held = other.heldDelivery(event.id(), "h", "session-h").orElseThrow();
    assertThat(held.event()).isEqualTo(event);
    assertThat(held.ack().settled()).isTrue();

    assertThat(other.heldDelivery(event.id(), "h", "session-h")).isEmpty();
    fixture().pass(Duration.ofMinutes(1));
    assertThat(fixture().namespace().claim(all("h", 10))).isEmpty();
  }

  @Test
  default void theBacklogSaysWhatIsToCome() {
    assertThat(fixture().namespace().backlog("h").isEmpty()).isTrue();
    fixture().publishAll(3);
    List<Delivery> claimed = fixture().namespace().claim(all("h", 2));

    assertThat(fixture().namespace().backlog("h"))
        .isEqualTo(new Backlog(1, 2, java.util.Optional.of(fixture().now().plusSeconds(30))));
    claimed.forEach(Delivery::ack);
    fixture().namespace().claim(all("h", 2)).forEach(Delivery::ack);
    assertThat(fixture().namespace().backlog("h").isEmpty()).isTrue();
  }
}
