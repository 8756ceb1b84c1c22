// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import static io.tidemark.events.EventsFixture.NS;
import static io.tidemark.events.EventsFixture.claimPath;
import static io.tidemark.events.EventsFixture.deadLetterPath;
import static io.tidemark.events.EventsFixture.ids;
import static io.tidemark.events.EventsFixture.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.DeadLetter;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventStatus;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.UndecodablePayloadException;
import io.tidemark.events.store.NamespaceKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What nobody can read. */
interface BadObjectsContract {

  EventsFixture fixture();

  /** What a handler wants that isn't to be told of dead letters. */
  private static ClaimRequest orders(String handler) {
    return new ClaimRequest(handler, EventTypeFilter.in("order.created"), 10, "s");
  }

  private void store(Instant at, String id, String text) {
    fixture().write("events/" + NS + "/" + NamespaceKeys.eventName(at, id), text);
  }

  @Test
  default void j7_anEventThatCantBeReadIsADeadLetterAndStopsNobody() {
    List<String> texts =
        List.of(
            "",
            "{",
            "[]",
            "{}",
            "{\"type\":7}",
            "{\"type\":\"t\",\"payload\":[1]}",
            "{\"type\":\"t\",\"id\":\"other\"}",
            "{\"type\":\"t\",\"namespace\":\"other\"}",
            "{\"type\":\"t\",\"priority\":\"high\"}");
    for (int i = 0; i < texts.size(); i++) {
      store(fixture().now().minusSeconds(1), "poison-" + i, texts.get(i));
    }
    Event sound = fixture().publish("order.created");

    assertThat(ids(fixture().other().claim(orders("h")))).containsExactly(sound.id());

    List<DeadLetter> letters = fixture().namespace().deadLetters(100);
    assertThat(letters).extracting(letter -> letter.raw().orElse("none")).isEqualTo(texts);
    for (DeadLetter letter : letters) {
      assertThat(letter.lastError()).startsWith("the event ");
      assertThat(fixture().namespace().inspect(letter.eventId()).orElseThrow().status())
          .isEqualTo(EventStatus.DEAD_LETTERED);
    }
    assertThat(fixture().stored("event.dead_letter")).hasSameSizeAs(texts);
    assertThat(fixture().other().claim(orders("h"))).isEmpty();
  }

  @Test
  default void whatOtherProgramsLeaveOutHasItsUsualValue() {
    store(fixture().now(), "theirs", "{\"type\":\"order.created\",\"extra\":true}");

    Event event = only(fixture().namespace().claim(orders("h"))).event();

    assertThat(event)
        .isEqualTo(
            new Event("theirs", NS, "order.created", "{}", fixture().now(), 100, "theirs", 0));
  }

  @Test
  default void aClaimThatCantBeReadIsADeadLetterAndStopsNobody() {
    List<String> texts =
        List.of("", "{", "[]", "{}", "{\"event_id\":\"e\",\"lease_until\":\"soon\"}");
    List<Event> events = fixture().publishAll(texts.size());
    for (int i = 0; i < texts.size(); i++) {
      fixture().write(claimPath(events.get(i).id(), "h"), texts.get(i));
    }
    Event sound = fixture().publish("order.created");

    assertThat(ids(fixture().other().claim(orders("h")))).containsExactly(sound.id());

    for (int i = 0; i < texts.size(); i++) {
      DeadLetter letter =
          only(fixture().namespace().inspect(events.get(i).id()).orElseThrow().deadLetters());
      assertThat(letter.event()).contains(events.get(i));
      assertThat(letter.raw()).contains(texts.get(i));
      assertThat(letter.lastError()).startsWith("the claim ");
    }
    assertThat(fixture().namespace().claim(orders("other"))).hasSize(texts.size() + 1);
  }

  @Test
  default void anEventOfTheFarFutureIsADeadLetterAndDoesntHideThoseOfNow() {
    Namespace consumer = fixture().other();
    Event first = fixture().publish("order.created");
    Instant far = fixture().now().plus(Duration.ofDays(365));
    String body = "{\"type\":\"order.created\",\"payload\":{\"a\":1}}";
    store(far, "future", body);
    store(far.plusSeconds(1), "beyond", "{");

    assertThat(ids(consumer.claim(orders("h")))).containsExactly(first.id());
    assertThat(fixture().namespace().deadLetters(10))
        .extracting(DeadLetter::eventId)
        .containsExactly("beyond", "future");
    DeadLetter letter = fixture().namespace().deadLetters(10).get(1);
    assertThat(letter.lastError()).contains(far.toString());
    assertThat(letter.event().orElseThrow().payload()).isEqualTo("{\"a\":1}");

    for (int i = 0; i < 3; i++) {
      fixture().pass(Duration.ofMinutes(2));
      Event next = fixture().publish("order.created");
      assertThat(ids(consumer.claim(orders("h")))).contains(next.id());
    }
    assertThat(fixture().namespace().deadLetters(10)).hasSize(2);
  }

  @Test
  default void aSlowClockOfOursDoesntMakeOthersEventsOnesOfTheFuture() {
    Event event = fixture().publish("order.created");
    fixture().clock().jump(Duration.ofHours(-3));

    assertThat(ids(fixture().other().claim(orders("h")))).containsExactly(event.id());
    assertThat(fixture().paths("dead_letters/")).isEmpty();
  }

  @Test
  default void whatHasNoNameOfAnEventIsADeadLetter() {
    fixture().write("events/" + NS + "/notes.txt", "hello");
    fixture().write("events/" + NS + "/0.json", "{}");
    fixture().write("events/" + NS + "/2026-99-99T00-00-00+00-00_x.json", "{}");
    Event sound = fixture().publish("order.created");

    assertThat(ids(fixture().other().claim(orders("h")))).containsExactly(sound.id());
    assertThat(fixture().namespace().deadLetters(10))
        .extracting(letter -> letter.raw().orElse("none"))
        .containsExactlyInAnyOrder("hello", "{}", "{}");
  }

  @Test
  default void aCursorThatCantBeReadIsWrittenAnew() {
    String path = "cursors/" + NS + "/h.json";
    for (String text : List.of("{", "[]", "{\"up_to\":7}")) {
      fixture().write(path, text);
      EventBus bus = fixture().bus();
      Event event = fixture().publish("order.created");
      assertThat(ids(bus.namespace(NS).claim(orders("h")))).containsExactly(event.id());
      bus.namespace(NS).heldDelivery(event.id(), "h", "s").orElseThrow().ack();
      bus.close();
      assertThat(fixture().json(path).path("finished").isArray()).isTrue();
    }
  }

  @Test
  default void aPayloadThatIsntWhatTheHandlerWantsIsSaidSo() {
    fixture().publish(NewEvent.of("order.created.v2", "{\"cents\":\"many\"}"));
    Event event = fixture().claimOne("h").event();

    assertThatThrownBy(() -> event.payloadAs(PublishContract.OrderCreatedV2.class))
        .isInstanceOf(UndecodablePayloadException.class)
        .hasMessageContaining(event.id())
        .hasMessageContaining("OrderCreatedV2");
  }

  @Test
  default void aDeadLetterThatCantBeReadIsPassedOver() {
    fixture().write(deadLetterPath("e", "h"), "{");

    assertThat(fixture().namespace().deadLetters(10)).isEmpty();
  }
}
