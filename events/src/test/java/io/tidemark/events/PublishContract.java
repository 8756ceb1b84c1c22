// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import static io.tidemark.events.EventsFixture.NS;
import static io.tidemark.events.EventsFixture.all;
import static io.tidemark.events.EventsFixture.ids;
import static io.tidemark.events.EventsFixture.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.ChainTooLongException;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventType;
import io.tidemark.events.model.FutureEventException;
import io.tidemark.events.model.InvalidEventPayloadException;
import io.tidemark.events.model.InvalidNameException;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.Publication;
import io.tidemark.objects.UtcTimestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How events get into a bus. */
interface PublishContract {

  EventsFixture fixture();

  /** An event of a program. */
  record OrderCreatedV2(String order, long cents, Instant at) {}

  /** One that has a name of its own. */
  @EventType(value = "billing.paid", priority = 7)
  record Paid(String order) {}

  @Test
  default void anEventIsStoredAsItIsLaidOut() {
    Event event =
        fixture()
            .publish(
                NewEvent.of("order.created", "{\"n\": 1.50, \"text\":\"ä\"}").withPriority(900));

    String time = UtcTimestamp.format(event.createdAt());
    assertThat(fixture().paths("events/"))
        .containsExactly(
            "events/" + NS + "/" + time.replace(':', '-') + "_" + event.id() + ".json");
    ObjectNode json = fixture().json(fixture().eventPath(event.id()));
    assertThat(json.path("id").asText()).isEqualTo(event.id());
    assertThat(json.path("namespace").asText()).isEqualTo(NS);
    assertThat(json.path("type").asText()).isEqualTo("order.created");
    assertThat(json.path("payload").toString()).isEqualTo("{\"n\":1.50,\"text\":\"ä\"}");
    assertThat(json.path("created_at").asText()).isEqualTo(time);
    assertThat(json.path("priority").asInt()).isEqualTo(900);
    assertThat(json.path("root_event_id").asText()).isEqualTo(event.id());
    assertThat(json.path("chain_depth").asInt()).isZero();
    assertThat(json.size()).isEqualTo(8);
  }

  @Test
  default void aRecordComesBackAsItWas() {
    OrderCreatedV2 order = new OrderCreatedV2("o1", 995, Instant.parse("2026-02-11T12:00:00.5Z"));
    fixture().namespace().publish(order);

    Event event = only(fixture().other().claim(all("h", 1))).event();

    assertThat(event.type()).isEqualTo("order.created.v2");
    assertThat(event.priority()).isEqualTo(Event.USUAL_PRIORITY);
    assertThat(event.payloadAs(OrderCreatedV2.class)).isEqualTo(order);
    assertThat(event.payloadTree().path("cents").asLong()).isEqualTo(995);
  }

  @Test
  default void aRecordMaySayItsTypeAndPriority() {
    Event event = fixture().namespace().publish(new Paid("o1")).event();

    assertThat(event.type()).isEqualTo("billing.paid");
    assertThat(event.priority()).isEqualTo(7);
  }

  @Test
  default void whatIsPublishedTwiceUnderAnIdIsDeliveredOnce() {
    NewEvent event = NewEvent.of("order.created", "{}").withId("once");
    fixture().publish(event);
    fixture().publish(event);
    fixture().other().publish(event);

    assertThat(ids(fixture().namespace().claim(all("h", 10)))).containsExactly("once");
    assertThat(ids(fixture().other().claim(all("other", 10)))).containsExactly("once");
    assertThat(fixture().namespace().list(10)).hasSize(1);
  }

  @Test
  default void anIdAndATimeAreStoredOnce() {
    NewEvent event = NewEvent.of("tick", "{}").withId("fire").at(fixture().now());

    assertThat(fixture().namespace().publish(event)).isInstanceOf(Publication.Published.class);
    assertThat(fixture().other().publish(event)).isInstanceOf(Publication.AlreadyThere.class);
    assertThat(fixture().paths("events/")).hasSize(1);
  }

  @Test
  default void anEventOfLongAgoIsFoundByThoseWhoLookOnlyForNewOnes() {
    Namespace running = fixture().other();
    Event before = fixture().publish("first");
    assertThat(ids(running.claim(all("h", 10)))).containsExactly(before.id());
    fixture().pass(Duration.ofMinutes(10));
    assertThat(running.claim(all("h", 10))).hasSize(1); // whose lease has run out

    NewEvent old = NewEvent.of("tick", "{}").withId("fire").at(before.createdAt().minusSeconds(9));
    assertThat(fixture().namespace().publish(old)).isInstanceOf(Publication.Published.class);
    assertThat(fixture().namespace().publish(old)).isInstanceOf(Publication.AlreadyThere.class);

    assertThat(ids(running.claim(all("h", 10)))).containsExactly("fire");
    assertThat(fixture().paths("events/").stream().filter(path -> path.contains("_fire")))
        .as("under its own time and under that of now")
        .hasSize(2);
  }

  @Test
  default void anEventKnowsItsChain() {
    Event root = fixture().publish("first");
    Event next = fixture().publish(NewEvent.of("second", "{}").causedBy(root));

    assertThat(next.rootEventId()).isEqualTo(root.id());
    assertThat(next.chainDepth()).isEqualTo(1);
  }

  @Test
  default void j12_aChainEndsSomewhere() {
    NewEvent event = NewEvent.of("second", "{}");
    int most = fixture().options().limits().maxChainDepth();
    fixture().publish(event.withLineage("root", most));

    assertThatThrownBy(() -> fixture().publish(event.withLineage("root", most + 1)))
        .isInstanceOfSatisfying(
            ChainTooLongException.class,
            e -> assertThat(e.code()).isEqualTo("max-event-chain-depth"));
    assertThat(fixture().paths("events/")).hasSize(1);
  }

  @Test
  default void j10_f27_aNameThatReachesElsewhereIsRefused() {
    for (String name : List.of("a/b", "..", ".", "", "ä", "a b", "a\nb", "#")) {
      refuse(name);
    }
    assertThat(fixture().paths("")).isEmpty();
  }

  private void refuse(String name) {
    assertThatThrownBy(() -> fixture().bus().namespace(name))
        .isInstanceOf(InvalidNameException.class);
    assertThatThrownBy(() -> all(name, 1)).isInstanceOf(InvalidNameException.class);
    assertThatThrownBy(() -> fixture().publish(NewEvent.of("t", "{}").withId(name)))
        .isInstanceOf(InvalidNameException.class);
    assertThatThrownBy(() -> fixture().publish(name)).isInstanceOf(InvalidNameException.class);
    assertThatThrownBy(() -> fixture().namespace().sessions().heartbeat(name))
        .isInstanceOf(InvalidNameException.class);
    assertThatThrownBy(() -> fixture().namespace().inspect(name))
        .isInstanceOf(InvalidNameException.class);
  }

  @Test
  default void namesMayHave128Characters() {
    String longest = "n".repeat(128);
    fixture().bus().namespace(longest).publish(NewEvent.of(longest, "{}").withId(longest));

    assertThat(ids(fixture().bus().namespace(longest).claim(all("h".repeat(128 - 8), 1))))
        .containsExactly(longest);
    for (String name : List.of(longest + "n")) {
      assertThatThrownBy(() -> fixture().bus().namespace(name))
          .isInstanceOf(InvalidNameException.class)
          .hasMessageNotContaining(name);
      assertThatThrownBy(() -> fixture().publish(name)).isInstanceOf(InvalidNameException.class);
    }
  }

  @Test
  default void j10_namespacesDontSeeEachOther() {
    fixture().bus().namespace("a.b").publish(NewEvent.of("t", "{}"));

    assertThat(fixture().bus().namespace("a").claim(all("h", 10))).isEmpty();
    assertThat(fixture().bus().namespace("a.b").claim(all("h", 10))).hasSize(1);
  }

  @Test
  default void whatIsNoJsonObjectIsRefused() {
    for (String payload :
        List.of("", "{", "[]", "1", "null", "\"text\"", "{}{}", "{\"a\":1,\"a\":2}")) {
      assertThatThrownBy(() -> fixture().publish(NewEvent.of("t", payload)))
          .as(payload)
          .isInstanceOf(InvalidEventPayloadException.class);
    }
    assertThat(fixture().paths("")).isEmpty();
  }

  @Test
  default void aPayloadBeyondTheLimitIsRefused() {
    int limit = 256 * 1024;
    String fits = "{\"t\":\"" + "x".repeat(limit - 8) + "\"}";

    Event event = fixture().publish(NewEvent.of("t", fits));
    assertThatThrownBy(() -> fixture().publish(NewEvent.of("t", fits.replace("{", "{ \"y\":1,"))))
        .isInstanceOf(InvalidEventPayloadException.class)
        .hasMessageContaining("" + limit);

    assertThat(only(fixture().other().claim(all("h", 10))).event()).isEqualTo(event);
  }

  @Test
  default void anEventOfTheFutureIsRefused() {
    Instant far = fixture().now().plus(Duration.ofSeconds(61));
    NewEvent event = NewEvent.of("t", "{}");

    assertThatThrownBy(() -> fixture().publish(event.at(far)))
        .isInstanceOf(FutureEventException.class);
    assertThatThrownBy(() -> fixture().publish(event.at(Instant.MAX)))
        .isInstanceOf(FutureEventException.class);
    fixture().publish(event.at(fixture().now().plusSeconds(60)));
    assertThat(fixture().other().claim(all("h", 10))).hasSize(1);
  }
}
