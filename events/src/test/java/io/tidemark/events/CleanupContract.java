// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import static io.tidemark.events.EventsFixture.all;
import static io.tidemark.events.EventsFixture.claimPath;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.events.model.Cleanup;
import io.tidemark.events.model.Cleanup.Unfinished;
import io.tidemark.events.model.CleanupReport;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is thrown away, and what isn't. */
interface CleanupContract {

  EventsFixture fixture();

  @Test
  default void j9_finishedEventsGoWithTheirClaims() {
    List<Event> events = fixture().publishAll(3);
    fixture().namespace().claim(all("a", 3)).forEach(Delivery::ack);
    fixture().namespace().claim(all("b", 2)).forEach(Delivery::ack);
    fixture().pass(Duration.ofSeconds(1));
    Event young = fixture().publish("t");
    fixture().namespace().claim(all("b", 9)).forEach(Delivery::ack);

    CleanupReport report = fixture().other().cleanup(Cleanup.before(young.createdAt()));

    assertThat(report).isEqualTo(new CleanupReport(3, 6, 0, 0, 0));
    assertThat(fixture().paths("events/")).containsExactly(fixture().eventPath(young.id()));
    assertThat(fixture().paths("claims/")).containsExactly(claimPath(young.id(), "b"));
    assertThat(fixture().namespace().inspect(events.get(0).id())).isEmpty();
  }

  @Test
  default void f26_whatIsntFinishedStaysUnlessItIsForced() {
    fixture().publishAll(4);
    List<Delivery> claimed = fixture().namespace().claim(all("a", 3));
    claimed.get(0).ack();
    claimed.get(1).release("later");
    Cleanup all = Cleanup.before(fixture().now().plusSeconds(1));

    assertThat(fixture().namespace().cleanup(all)).isEqualTo(new CleanupReport(1, 1, 0, 0, 3));
    assertThat(fixture().paths("events/")).hasSize(3);
    assertThat(fixture().namespace().cleanup(all.withUnfinished(Unfinished.DELETE)))
        .isEqualTo(new CleanupReport(3, 2, 0, 0, 0));
    assertThat(fixture().paths("events/")).isEmpty();
    assertThat(fixture().paths("claims/")).isEmpty();
    assertThat(claimed.get(2).ack()).isEqualTo(new Settlement.Superseded());
  }

  @Test
  default void anEventThatOneHandlerIsStillAtStays() {
    fixture().publish("t");
    fixture().claimOne("a").ack();
    fixture().claimOne("b").release("later");

    assertThat(fixture().namespace().cleanup(Cleanup.before(fixture().now().plusSeconds(1))).kept())
        .isEqualTo(1);
  }

  @Test
  default void j9_deadLettersAndSessionsStayUnlessTheyAreMeantToo() {
    Event event = fixture().publish("t");
    fixture().claimOne("h").deadLetter("no");
    fixture().namespace().sessions().heartbeat("s");
    fixture().pass(Duration.ofDays(10));
    Cleanup old = Cleanup.before(fixture().now()).withUnfinished(Unfinished.DELETE);

    fixture().namespace().cleanup(old);
    assertThat(fixture().paths("events/")).isEmpty();
    assertThat(fixture().namespace().deadLetters(10)).hasSize(1);
    assertThat(fixture().namespace().sessions().list()).hasSize(1);

    CleanupReport report =
        fixture()
            .namespace()
            .cleanup(
                old.withDeadLettersBefore(Optional.of(event.createdAt().plusSeconds(9)))
                    .withSessionsBefore(Optional.of(event.createdAt())));
    assertThat(report).isEqualTo(new CleanupReport(0, 0, 1, 0, 0));
    assertThat(
            fixture()
                .namespace()
                .cleanup(old.withSessionsBefore(Optional.of(fixture().now())))
                .sessions())
        .isEqualTo(1);
    assertThat(fixture().paths("sessions/")).isEmpty();
  }

  @Test
  default void f26_claimsThatACleanupLeftBehindAreFoundByTheNext() {
    Event event = fixture().publish("t");
    fixture().claimOne("h").ack();
    fixture().delete(fixture().eventPath(event.id()));

    assertThat(fixture().namespace().cleanup(Cleanup.before(fixture().now())))
        .isEqualTo(new CleanupReport(0, 1, 0, 0, 0));
    assertThat(fixture().paths("claims/")).isEmpty();
  }

  @Test
  default void aHalfMadeDeadLetterIsMadeBeforeItsEventGoes() {
    Event event = fixture().publish(NewEvent.of("t", "{\"a\":1}"));
    fixture().claimOne("h").deadLetter("died");
    String claim = claimPath(event.id(), "h");
    fixture().write(claim, fixture().json(claim).without("dead_letter_complete").toString());
    fixture().delete(EventsFixture.deadLetterPath(event.id(), "h"));

    fixture().other().cleanup(Cleanup.before(event.createdAt().plusNanos(1_000)));

    assertThat(fixture().exists(claim)).isFalse();
    assertThat(fixture().namespace().deadLetters(10))
        .extracting(letter -> letter.event().orElseThrow().payload())
        .containsExactly("{\"a\":1}");
  }

  @Test
  default void aHandlerGoesOnAfterACleanup() {
    fixture().publishAll(3);
    fixture().namespace().claim(all("h", 2)).forEach(Delivery::ack);
    fixture().namespace().cleanup(Cleanup.before(fixture().now().plusSeconds(1)));
    Event next = fixture().publish("t");

    assertThat(fixture().namespace().claim(all("h", 9)))
        .extracting(delivery -> delivery.event().id())
        .contains(next.id())
        .hasSize(2);
  }
}
