// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import static io.tidemark.events.EventsFixture.NS;
import static io.tidemark.events.EventsFixture.all;
import static io.tidemark.events.EventsFixture.claimPath;
import static io.tidemark.events.EventsFixture.deadLetterPath;
import static io.tidemark.events.EventsFixture.only;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.DeadLetter;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventStatus;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.Settlement;
import io.tidemark.objects.UtcTimestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is given up. */
interface DeadLetterContract {

  EventsFixture fixture();

  private Instant fail(Namespace namespace, int times) {
    for (int i = 0; i < times; i++) {
      fixture().pass(Duration.ofMinutes(1));
      only(namespace.claim(new ClaimRequest("h", EventTypeFilter.in("t"), 10, "s")))
          .release("boom " + i);
    }
    return fixture().now();
  }

  @Test
  default void j5_whatFailsTooOftenIsGivenUp() {
    Event root = fixture().publish("root");
    NewEvent wanted = NewEvent.of("t", "{\"a\":1}").withPriority(5).causedBy(root);
    Event event = fixture().publish(wanted);
    Namespace namespace = fixture().other(fixture().patience(3));

    fail(namespace, 2);
    assertThat(fixture().paths("dead_letters/")).isEmpty();
    Instant failed = fail(namespace, 1);

    ObjectNode json = fixture().json(deadLetterPath(event.id(), "h"));
    assertThat(json.path("event_id").asText()).isEqualTo(event.id());
    assertThat(json.path("handler_id").asText()).isEqualTo("h");
    assertThat(json.path("namespace").asText()).isEqualTo(NS);
    assertThat(json.path("failed_at").asText()).isEqualTo(UtcTimestamp.format(failed));
    assertThat(json.path("attempts").asInt()).isEqualTo(3);
    assertThat(json.path("last_error").asText()).isEqualTo("boom 0");
    assertThat(json.path("event_type").asText()).isEqualTo("t");
    assertThat(json.path("payload").toString()).isEqualTo("{\"a\":1}");
    assertThat(json.path("priority").asInt()).isEqualTo(5);
    assertThat(json.path("root_event_id").asText()).isEqualTo(root.id());
    assertThat(json.path("chain_depth").asInt()).isEqualTo(1);
    assertThat(namespace.inspect(event.id()).orElseThrow().status())
        .isEqualTo(EventStatus.DEAD_LETTERED);
    assertThat(only(namespace.deadLetters(10)).event()).contains(event);
    fixture().pass(Duration.ofMinutes(1));
    assertThat(namespace.claim(new ClaimRequest("h", EventTypeFilter.in("t"), 10, "s"))).isEmpty();
  }

  @Test
  default void j5_f23_oneEventTellsOfIt() {
    Event root = fixture().publish("root");
    Event event = fixture().publish(NewEvent.of("t", "{}").causedBy(root));
    Namespace namespace = fixture().other(fixture().patience(2));
    fail(namespace, 2);

    Delivery told =
        only(
            namespace.claim(
                new ClaimRequest("x", EventTypeFilter.in("event.dead_letter"), 9, "s")));

    assertThat(told.event().payloadTree().toString())
        .isEqualTo(
            "{\"attempts\":2,\"event_id\":\"%s\",\"event_type\":\"t\",\"handler_id\":\"h\","
                    .formatted(event.id())
                + "\"last_error\":\"boom 1\"}");
    assertThat(told.event().rootEventId()).isEqualTo(root.id());
    assertThat(told.event().chainDepth()).isEqualTo(2);
    assertThat(fixture().stored("event.dead_letter"))
        .containsExactly(fixture().eventPath(told.event().id()));
  }

  @Test
  default void f24_whatKillsItsHandlersIsGivenUp() {
    Event event = fixture().publish("t");
    for (int i = 0; i < 3; i++) {
      Namespace process = fixture().other(fixture().patience(3));
      Delivery delivery =
          only(process.claim(new ClaimRequest("h", EventTypeFilter.in("t"), 10, "s")));
      assertThat(delivery.attempt()).isEqualTo(i + 1);
      assertThat(delivery.claim().attempts()).isZero();
      fixture().pass(Duration.ofSeconds(31));
    }

    Namespace survivor = fixture().other(fixture().patience(3));
    assertThat(survivor.claim(new ClaimRequest("h", EventTypeFilter.in("t"), 10, "s"))).isEmpty();
    DeadLetter letter = only(survivor.deadLetters(10));
    assertThat(letter.eventId()).isEqualTo(event.id());
    assertThat(letter.attempts()).isEqualTo(3);
    assertThat(letter.lastError()).contains("ran out 3 times");
    assertThat(fixture().stored("event.dead_letter")).hasSize(1);
  }

  @Test
  default void aHandlerCanGiveUpAtOnce() {
    Event event = fixture().publish("t");
    Settlement settlement = fixture().claimOne("h").deadLetter("max_event_chain_depth");

    assertThat(settlement.settled()).isTrue();
    DeadLetter letter = only(fixture().namespace().deadLetters(10));
    assertThat(letter.lastError()).isEqualTo("max_event_chain_depth");
    assertThat(letter.attempts()).isEqualTo(1);
    assertThat(letter.event()).isEqualTo(Optional.of(event));
  }

  @Test
  default void j12_nothingIsToldAtTheEndOfAChain() {
    fixture()
        .publish(
            NewEvent.of("t", "{}")
                .withLineage("root", fixture().options().limits().maxChainDepth()));
    fixture().claimOne("h").deadLetter("enough");

    assertThat(fixture().namespace().deadLetters(10)).hasSize(1);
    assertThat(fixture().stored("event.dead_letter")).isEmpty();
  }

  @Test
  default void aDeadLetterOfOneHandlerIsNoMatterToAnother() {
    Event event = fixture().publish("t");
    fixture().claimOne("h").deadLetter("no");

    assertThat(EventsFixture.ids(fixture().namespace().claim(all("other", 10))))
        .contains(event.id());
    assertThat(fixture().exists(claimPath(event.id(), "other"))).isTrue();
  }

  @Test
  default void whatADeadProcessLeftHalfDoneIsCompleted() {
    Event event = fixture().publish("t");
    Delivery delivery = fixture().claimOne("h");
    delivery.deadLetter("died");
    String claim = claimPath(event.id(), "h");
    ObjectNode json = fixture().json(claim);
    assertThat(json.remove("dead_letter_complete").asBoolean()).isTrue();
    for (boolean letterIsThere : new boolean[] {false, true}) {
      fixture().write(claim, json.toString());
      fixture().paths("events/" + NS).stream()
          .filter(path -> !path.contains(event.id()))
          .forEach(fixture()::delete);
      if (!letterIsThere) {
        fixture().delete(deadLetterPath(event.id(), "h"));
      }
      assertThat(fixture().other().claim(new ClaimRequest("h", EventTypeFilter.in("t"), 10, "s")))
          .isEmpty();
      assertThat(fixture().json(deadLetterPath(event.id(), "h")).path("last_error").asText())
          .isEqualTo("died");
      assertThat(fixture().stored("event.dead_letter")).hasSize(1);
      assertThat(fixture().json(claim).path("dead_letter_complete").asBoolean()).isTrue();
    }
  }

  @Test
  default void whatIsCompletedLateIsStillToldOf() {
    Event event = fixture().publish("t");
    Namespace listener = fixture().other();
    ClaimRequest wanted = new ClaimRequest("x", EventTypeFilter.in("event.dead_letter"), 10, "s");
    fixture().claimOne("h").deadLetter("died");
    ObjectNode json = fixture().json(claimPath(event.id(), "h"));
    json.remove("dead_letter_complete");
    fixture().write(claimPath(event.id(), "h"), json.toString());
    fixture().paths("events/" + NS).stream()
        .filter(path -> !path.contains(event.id()))
        .forEach(fixture()::delete);
    fixture().delete(deadLetterPath(event.id(), "h"));
    assertThat(listener.claim(wanted)).isEmpty();
    fixture().pass(Duration.ofMinutes(10));
    assertThat(listener.claim(wanted)).isEmpty();

    fixture().other().claim(new ClaimRequest("h", EventTypeFilter.in("t"), 10, "s"));

    assertThat(listener.claim(wanted)).hasSize(1);
  }
}
