// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import static io.tidemark.events.EventsFixture.all;
import static io.tidemark.events.EventsFixture.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.events.model.Claim;
import io.tidemark.events.model.Cleanup;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventStatus;
import io.tidemark.events.model.Inspection;
import io.tidemark.events.model.ListedEvent;
import io.tidemark.events.model.NamespaceInfo;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.UnknownEventException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What can be seen, and done again. */
interface ArchiveContract {

  EventsFixture fixture();

  @Test
  default void aListSaysHowFarEventsAre() {
    List<Event> events = fixture().publishAll(5);
    List<Delivery> claimed = fixture().namespace().claim(all("h", 4));
    fixture().pass(Duration.ofSeconds(1));
    claimed.get(0).deadLetter("no");
    claimed.get(1).ack();
    claimed.get(2).release("later");

    List<ListedEvent> listed = fixture().other().list(100);

    assertThat(listed.subList(0, 5))
        .extracting(ListedEvent::status)
        .containsExactly(
            EventStatus.DEAD_LETTERED,
            EventStatus.ACKED,
            EventStatus.PENDING,
            EventStatus.CLAIMED,
            EventStatus.PENDING);
    assertThat(listed.subList(0, 5))
        .extracting(line -> line.event().orElseThrow())
        .containsExactlyElementsOf(events);
    assertThat(listed).hasSize(6); // and the one that tells of the dead letter
    assertThat(fixture().other().list(2)).isEqualTo(listed.subList(4, 6));
  }

  @Test
  default void theWorstOfItsHandlersIsTheStatusOfAnEvent() {
    Event event = fixture().publish("t");
    assertThat(status(event)).isEqualTo(EventStatus.PENDING);
    fixture().claimOne("a");
    assertThat(status(event)).isEqualTo(EventStatus.CLAIMED);
    fixture().claimOne("b").ack();
    assertThat(status(event)).isEqualTo(EventStatus.ACKED);
    fixture().claimOne("c").deadLetter("no");
    assertThat(status(event)).isEqualTo(EventStatus.DEAD_LETTERED);
  }

  private EventStatus status(Event event) {
    return fixture().namespace().inspect(event.id()).orElseThrow().status();
  }

  @Test
  default void anInspectionShowsAllThereIs() {
    Event event = fixture().publish(NewEvent.of("t", "{}").withId("own-id"));
    fixture().claimOne("a").ack();
    fixture().claimOne("b").deadLetter("no");

    Inspection seen = fixture().other().inspect("own-id").orElseThrow();

    assertThat(seen.event()).contains(event);
    assertThat(seen.claims()).extracting(Claim::handlerId).containsExactly("a", "b");
    assertThat(only(seen.deadLetters()).handlerId()).isEqualTo("b");
    assertThat(fixture().namespace().inspect("nothing")).isEmpty();
  }

  @Test
  default void j8_aReplayIsANewEvent() {
    Event root = fixture().publish("root");
    Event event = fixture().publish(NewEvent.of("t", "{\"a\":1}").withPriority(7).causedBy(root));

    Event again = fixture().other().replay(event.id());

    assertThat(again.id()).isNotEqualTo(event.id());
    assertThat(again.type()).isEqualTo("t");
    assertThat(again.payload()).isEqualTo("{\"a\":1}");
    assertThat(again.priority()).isEqualTo(7);
    assertThat(again.rootEventId()).isEqualTo(again.id());
    assertThat(again.chainDepth()).isZero();
    assertThat(fixture().namespace().claim(all("h", 10))).hasSize(3);
  }

  @Test
  default void f26_aReplayDoesWithTheDeadLetterWhenTheEventIsGone() {
    Event event = fixture().publish(NewEvent.of("t", "{\"a\":1}").withPriority(7));
    fixture().claimOne("h").deadLetter("no");
    fixture().pass(Duration.ofDays(8));
    fixture().namespace().cleanup(Cleanup.before(fixture().now().minus(Duration.ofDays(7))));
    assertThat(fixture().namespace().inspect(event.id()).orElseThrow().event()).isEmpty();

    Event again = fixture().other().replay(event.id());

    assertThat(again.payload()).isEqualTo("{\"a\":1}");
    assertThat(again.priority()).isEqualTo(7);
  }

  @Test
  default void aReplayOfNothingIsRefused() {
    assertThatThrownBy(() -> fixture().namespace().replay("nothing"))
        .isInstanceOf(UnknownEventException.class)
        .hasMessageContaining("nothing");
  }

  @Test
  default void f29_namespacesAreCountedByWhatIsInThem() {
    fixture().publishAll(4);
    fixture().namespace().claim(all("h", 1)).forEach(Delivery::ack);
    fixture().namespace().claim(all("h", 1)).forEach(delivery -> delivery.release("later"));
    fixture().namespace().claim(all("h", 1));
    fixture().namespace().sessions().heartbeat("old");
    fixture().pass(Duration.ofSeconds(61));
    fixture().namespace().sessions().heartbeat("new");
    fixture().bus().namespace("quiet").sessions().heartbeat("s");
    fixture().write("dead_letters/letters/e/h.json", "{}");

    assertThat(fixture().bus().namespaces())
        .containsExactly(
            new NamespaceInfo("default", 3, 1, 1, 0),
            new NamespaceInfo("letters", 0, 0, 0, 1),
            new NamespaceInfo("quiet", 0, 1, 0, 0));
  }
}
