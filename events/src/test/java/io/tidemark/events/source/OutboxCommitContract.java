// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.events.model.Event;
import io.tidemark.events.model.InvalidPayloadException;
import io.tidemark.events.model.NewEvent;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.commit.Terms;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.testkit.objects.CountingBackend;
import io.tidemark.testkit.objects.Fault;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import io.tidemark.testkit.objects.Requests;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** F25: a commit and its events are one, whatever answers get lost. */
interface OutboxCommitContract {

  Place place();

  String HEAD = Place.LEDGER + "meta/head.json";

  private static boolean isEvent(Operation operation, String key) {
    return operation == Operation.PUT && key.startsWith(Place.BUS + "events/");
  }

  @Test
  default void f25_theEventsOfACommitArePublishedWithIt() {
    Member process = place().process();
    try (LedgerOutbox outbox = process.outbox()) {
      Commit commit = process.commit(outbox, "c1", 1, "a", "b").orElseThrow();

      assertThat(commit.outboxSize()).isEqualTo(2);
      assertThat(process.deliveries("h"))
          .extracting(Event::id, Event::type, Event::payload)
          .containsExactly(
              tuple("a", Member.MOVED, "{\"customer\":\"a\"}"),
              tuple("b", Member.MOVED, "{\"customer\":\"b\"}"));
    }
    assertThat(process.position()).isEqualTo(1);
    assertThat(process.keys(Place.BUS + "events/sales/")).hasSize(2);
  }

  @Test
  default void f25_eventsWithoutACommitAreOnePutEach() {
    CountingBackend counting = new CountingBackend(place().bytes());
    Member process = place().process(counting);
    try (LedgerOutbox outbox = process.outbox();
        Session session = process.session()) {
      Requests requests =
          counting.during(
              () ->
                  assertThat(outbox.commit(session, Map.of(), List.of(process.moved("a"))))
                      .isEmpty());

      assertThat(requests.of(Operation.PUT)).isEqualTo(1);
      assertThat(requests.total()).isEqualTo(1);
    }
    assertThat(process.delivered("h")).containsExactly("a");
    assertThat(process.keys(Place.LEDGER + "meta/locks/")).isEmpty();
  }

  @Test
  default void f25_whereNothingIsToBeChangedTheEventsArePublishedAllTheSame() {
    Member process = place().process();
    try (LedgerOutbox outbox = process.outbox()) {
      process.commit(outbox, "c1", 1, "a");

      assertThat(process.commit(outbox, "c1", 1, "b")).isEmpty();
    }
    assertThat(process.delivered("h")).containsExactly("a", "b");
  }

  @Test
  default void f25_whatCantBePublishedIsRefusedBeforeAnythingIsCommitted() {
    Member process = place().process();
    try (LedgerOutbox outbox = process.outbox();
        Session session = process.session()) {
      session.ensure(new Customer("c1", 1));
      Outgoing large =
          new Outgoing(
              process.sales(),
              NewEvent.of(Member.MOVED, "{\"x\":\"" + "x".repeat(300_000) + "\"}"));

      assertThatThrownBy(() -> outbox.commit(session, Map.of(), List.of(process.moved("a"), large)))
          .isInstanceOf(InvalidPayloadException.class);
      assertThat(session.queued()).isEqualTo(1);
    }
    assertThat(process.ledger().log().head()).isEmpty();
    assertThat(process.delivered("h")).isEmpty();
  }

  @Test
  default void f25_aBusThatCantBeReachedDoesntFailTheCommit() {
    FaultyBackend faulty = new FaultyBackend(place().bytes());
    Member process = place().process(faulty);
    try (LedgerOutbox outbox = process.outbox()) {
      faulty.next(OutboxCommitContract::isEvent, Fault.meanwhile(Member::fail));

      assertThat(process.commit(outbox, "c1", 1, "a")).isPresent();
      assertThat(process.delivered("h")).isEmpty();
      assertThat(process.commit(outbox, "c1", 2, "b")).isPresent();
      assertThat(process.delivered("h")).containsExactlyInAnyOrder("a", "b");
    }
  }

  @Test
  default void f25_aLostAnswerToTheWriteOfTheHeadNeitherLosesNorDoubles() {
    FaultyBackend faulty = new FaultyBackend(place().bytes());
    Member process = place().process(faulty);
    try (LedgerOutbox outbox = process.outbox()) {
      faulty.next(Operation.PUT, HEAD, Fault.loseAnswer());
      assertThat(process.commit(outbox, "c1", 1, "a")).isPresent();
      faulty.next(OutboxCommitContract::isEvent, Fault.loseAnswer());
      assertThat(process.commit(outbox, "c1", 2, "b")).isPresent();
    }
    assertThat(process.delivered("h")).containsExactly("a", "b");
    assertThat(process.keys(Place.BUS + "events/sales/")).hasSize(2);
  }

  @Test
  default void f25_whoCommitsAgainUnderTheSameIdAfterAnUnknownOutcomeDoublesNothing() {
    FaultyBackend faulty = new FaultyBackend(place().bytes());
    Member process = place().process(faulty);
    try (LedgerOutbox outbox = process.outbox();
        Session session = process.session()) {
      session.ensure(new Customer("c1", 1));
      List<Outgoing> events = List.of(process.moved("a"));
      faulty.next(
          Operation.PUT,
          HEAD,
          Fault.meanwhile(
              () -> {
                faulty.next(Operation.HEAD, HEAD, Fault.meanwhile(Member::fail));
                faulty.next(Operation.GET, HEAD, Fault.meanwhile(Member::fail));
              }));
      faulty.next(Operation.PUT, HEAD, Fault.loseAnswer());

      assertThatThrownBy(() -> outbox.commit(session, Map.of(), events))
          .isInstanceOf(OutcomeUnknownException.class);
      assertThat(outbox.commit(session, Map.of(), events)).isEmpty();
    }
    assertThat(process.ledger().log().head()).contains(1L);
    Member next = place().process();
    next.outbox().close();
    assertThat(next.delivered("h")).containsExactly("a");
  }

  @Test
  default void f25_onTermsThatDontHoldNothingIsPublished() {
    Member member = place().process();
    try (LedgerOutbox outbox = member.outbox();
        Session session = member.session()) {
      session.ensure(new Customer("c1", 1));
      assertThat(outbox.commit(session, Map.of(), NEVER, List.of(member.moved("a")))).isEmpty();
      assertThat(session.queued()).isEqualTo(1);
    }
    assertThat(member.delivered("h")).isEmpty();
  }

  Terms NEVER =
      new Terms() {
        @Override
        public void start(Base base) {}

        @Override
        public boolean admits(TypeId type, Supplier<Identity> identity, Standing standing) {
          return true;
        }

        @Override
        public boolean hold() {
          return false;
        }

        @Override
        public void done() {}
      };
}
