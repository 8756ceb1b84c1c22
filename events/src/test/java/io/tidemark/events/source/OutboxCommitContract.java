// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.events.model.Event;
import io.tidemark.events.model.InvalidEventPayloadException;
import io.tidemark.events.model.NewEvent;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.commit.CommitCondition;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.CountingBackend;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import io.tidemark.testkit.objects.RequestCounts;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** F25: a commit and its events are one, whatever answers get lost. */
interface OutboxCommitContract {

  OutboxFixture place();

  String HEAD = OutboxFixture.LEDGER + "meta/head.json";

  private static boolean isEvent(Operation operation, String key) {
    return operation == Operation.PUT && key.startsWith(OutboxFixture.BUS + "events/");
  }

  @Test
  default void f25_theEventsOfACommitArePublishedWithIt() {
    OutboxProcess process = place().process();
    try (LedgerOutbox outbox = process.outbox()) {
      Commit commit = process.commit(outbox, "c1", 1, "a", "b").orElseThrow();

      assertThat(commit.outboxSize()).isEqualTo(2);
      assertThat(process.deliveries("h"))
          .extracting(Event::id, Event::type, Event::payload)
          .containsExactly(
              tuple("a", OutboxProcess.MOVED, "{\"customer\":\"a\"}"),
              tuple("b", OutboxProcess.MOVED, "{\"customer\":\"b\"}"));
    }
    assertThat(process.position()).isEqualTo(1);
    assertThat(process.keys(OutboxFixture.BUS + "events/sales/")).hasSize(2);
  }

  @Test
  default void f25_eventsWithoutACommitAreOnePutEach() {
    CountingBackend counting = new CountingBackend(place().bytes());
    OutboxProcess process = place().process(counting);
    try (LedgerOutbox outbox = process.outbox();
        Session session = process.session()) {
      RequestCounts requestCounts =
          counting.during(
              () ->
                  assertThat(outbox.commit(session, Map.of(), List.of(process.moved("a"))))
                      .isEmpty());

      assertThat(requestCounts.of(Operation.PUT)).isEqualTo(1);
      assertThat(requestCounts.total()).isEqualTo(1);
    }
    assertThat(process.delivered("h")).containsExactly("a");
    assertThat(process.keys(OutboxFixture.LEDGER + "meta/locks/")).isEmpty();
  }

  @Test
  default void f25_whereNothingIsToBeChangedTheEventsArePublishedAllTheSame() {
    OutboxProcess process = place().process();
    try (LedgerOutbox outbox = process.outbox()) {
      process.commit(outbox, "c1", 1, "a");

      assertThat(process.commit(outbox, "c1", 1, "b")).isEmpty();
    }
    assertThat(process.delivered("h")).containsExactly("a", "b");
  }

  @Test
  default void f25_whatCantBePublishedIsRefusedBeforeAnythingIsCommitted() {
    OutboxProcess process = place().process();
    try (LedgerOutbox outbox = process.outbox();
        Session session = process.session()) {
      session.ensure(new Customer("c1", 1));
      OutgoingEvent large =
          new OutgoingEvent(
              process.sales(),
              NewEvent.of(OutboxProcess.MOVED, "{\"x\":\"" + "x".repeat(300_000) + "\"}"));

      assertThatThrownBy(() -> outbox.commit(session, Map.of(), List.of(process.moved("a"), large)))
          .isInstanceOf(InvalidEventPayloadException.class);
      assertThat(session.queued()).isEqualTo(1);
    }
    assertThat(process.ledger().log().head()).isEmpty();
    assertThat(process.delivered("h")).isEmpty();
  }

  @Test
  default void f25_aBusThatCantBeReachedDoesntFailTheCommit() {
    FaultyBackend faulty = new FaultyBackend(place().bytes());
    OutboxProcess process = place().process(faulty);
    try (LedgerOutbox outbox = process.outbox()) {
      faulty.next(OutboxCommitContract::isEvent, BackendFault.runBefore(OutboxProcess::fail));

      assertThat(process.commit(outbox, "c1", 1, "a")).isPresent();
      assertThat(process.delivered("h")).isEmpty();
      assertThat(process.commit(outbox, "c1", 2, "b")).isPresent();
      assertThat(process.delivered("h")).containsExactlyInAnyOrder("a", "b");
    }
  }

  @Test
  default void f25_aLostAnswerToTheWriteOfTheHeadNeitherLosesNorDoubles() {
    FaultyBackend faulty = new FaultyBackend(place().bytes());
    OutboxProcess process = place().process(faulty);
    try (LedgerOutbox outbox = process.outbox()) {
      faulty.next(Operation.PUT, HEAD, BackendFault.loseAnswer());
      assertThat(process.commit(outbox, "c1", 1, "a")).isPresent();
      faulty.next(OutboxCommitContract::isEvent, BackendFault.loseAnswer());
      assertThat(process.commit(outbox, "c1", 2, "b")).isPresent();
    }
    assertThat(process.delivered("h")).containsExactly("a", "b");
    assertThat(process.keys(OutboxFixture.BUS + "events/sales/")).hasSize(2);
  }

  @Test
  default void f25_whoCommitsAgainUnderTheSameIdAfterAnUnknownOutcomeDoublesNothing() {
    FaultyBackend faulty = new FaultyBackend(place().bytes());
    OutboxProcess process = place().process(faulty);
    try (LedgerOutbox outbox = process.outbox();
        Session session = process.session()) {
      session.ensure(new Customer("c1", 1));
      List<OutgoingEvent> events = List.of(process.moved("a"));
      faulty.next(
          Operation.PUT,
          HEAD,
          BackendFault.runBefore(
              () -> {
                faulty.next(Operation.HEAD, HEAD, BackendFault.runBefore(OutboxProcess::fail));
                faulty.next(Operation.GET, HEAD, BackendFault.runBefore(OutboxProcess::fail));
              }));
      faulty.next(Operation.PUT, HEAD, BackendFault.loseAnswer());

      assertThatThrownBy(() -> outbox.commit(session, Map.of(), events))
          .isInstanceOf(OutcomeUnknownException.class);
      assertThat(outbox.commit(session, Map.of(), events)).isEmpty();
    }
    assertThat(process.ledger().log().head()).contains(1L);
    OutboxProcess next = place().process();
    next.outbox().close();
    assertThat(next.delivered("h")).containsExactly("a");
  }

  @Test
  default void f25_onTermsThatDontHoldNothingIsPublished() {
    OutboxProcess outboxProcess = place().process();
    try (LedgerOutbox outbox = outboxProcess.outbox();
        Session session = outboxProcess.session()) {
      session.ensure(new Customer("c1", 1));
      assertThat(outbox.commit(session, Map.of(), NEVER, List.of(outboxProcess.moved("a"))))
          .isEmpty();
      assertThat(session.queued()).isEqualTo(1);
    }
    assertThat(outboxProcess.delivered("h")).isEmpty();
  }

  CommitCondition NEVER =
      new CommitCondition() {
        @Override
        public void start(PinnedHead pinnedHead) {}

        @Override
        public boolean admits(TypeId type, Supplier<Identity> identity, RowMatch rowMatch) {
          return true;
        }

        @Override
        public boolean isMet() {
          return false;
        }

        @Override
        public void finish() {}
      };
}
