// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.events.EventBus;
import io.tidemark.events.model.Claim;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.source.EventSource;
import io.tidemark.events.source.LedgerOutbox;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInitializer;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Handlers that write to a ledger. */
final class CommitTest {
  private final RunnerFixture runnerFixture = new RunnerFixture();
  private final EventBus bus = runnerFixture.bus();
  private final List<Event> followers = new ArrayList<>();
  private final HandlerRegistration follower =
      HandlerRegistration.of(
          "follower", EventTypeFilter.in("y"), eventContext -> followers.add(eventContext.event()));
  private final Ledger ledger;
  private final LedgerOutbox outbox;

  @Entity
  record Customer(@Key String id, long age) {}

  CommitTest() {
    new LedgerInitializer(runnerFixture.store(), "ledger/").init();
    ledger = open();
    outbox = LedgerOutbox.open(bus, ledger, "shop");
  }

  private Ledger open() {
    return Ledger.open(runnerFixture.store(), "ledger/", LedgerOptions.standard());
  }

  @AfterEach
  void close() {
    outbox.close();
    ledger.close();
  }

  @Test
  @DisplayName("J13: a handler that doesn't commit writes nothing, and the event is acknowledged")
  void whatIsntCommittedIsDropped() throws Exception {
    Runner runner =
        runner(
            writing(eventContext -> eventContext.session().ensure(new Customer("a", 1))), follower);
    Event first = runnerFixture.publish("x", 1);
    runnerFixture.publish("x", 2);

    assertThat(runner.iterate()).isEqualTo(new DeliveryCounts(2, 0, 0, 0, 0));

    assertThat(ledger.log().head()).isEmpty();
    assertThat(claim(first).ackAt()).isPresent();
  }

  @Test
  void aCommitTakesWithItWhatWasEmittedBefore() throws Exception {
    Runner runner =
        runner(
            writing(
                eventContext -> {
                  eventContext.session().ensure(new Customer(eventContext.event().id(), 1));
                  eventContext.emit(NewEvent.of("y", "{\"n\":1}"));
                  assertThat(eventContext.commit()).isPresent();
                  eventContext.emit(NewEvent.of("y", "{\"n\":2}"));
                }),
            follower);
    Event event = runnerFixture.publish("x", 1);

    assertThat(runner.drain(Duration.ZERO).isEmpty()).isTrue();

    assertThat(ledger.log().get(1).orElseThrow().outboxSize()).isEqualTo(1);
    assertThat(followers)
        .extracting(Event::payload)
        .containsExactlyInAnyOrder("{\"n\":1}", "{\"n\":2}"); // in a time that stands still
    assertThat(followers).extracting(Event::rootEventId).containsOnly(event.id());
  }

  @Test
  void aCommitWhoseHandlerDiesIsMadeOnceAndSoAreItsEvents() throws Exception {
    AtomicInteger handled = new AtomicInteger();
    Runner runner =
        runner(
            writing(
                eventContext -> {
                  handled.incrementAndGet();
                  eventContext.session().ensure(new Customer(eventContext.event().id(), 1));
                  eventContext.emit(NewEvent.of("y", "{}"));
                  eventContext.commit();
                }),
            follower);
    Event event = runnerFixture.publish("x", 1);
    AtomicInteger puts = new AtomicInteger();
    runnerFixture
        .faulty()
        .next(
            (o, key) ->
                o == Operation.PUT
                    && key.contains("/claims/default/" + event.id())
                    && puts.incrementAndGet() == 2,
            BackendFault.unavailable());

    assertThat(runner.iterate().unsettled()).isEqualTo(1);
    runnerFixture.pass(Duration.ofSeconds(31));
    assertThat(runner.drain(Duration.ZERO).isEmpty()).isTrue();

    assertThat(handled).hasValue(2);
    assertThat(ledger.log().head()).contains(1L);
    assertThat(followers).hasSize(1);
  }

  @Test
  void nothingIsCommittedAfterTheLeaseHasRunOut() throws Exception {
    Runner runner =
        runner(
            writing(
                eventContext -> {
                  eventContext.session().ensure(new Customer("a", 1));
                  eventContext.emit(NewEvent.of("y", "{}"));
                  if (eventContext.attempt() == 1) {
                    runnerFixture.clock().jump(Duration.ofSeconds(30));
                  }
                  eventContext.commit();
                }),
            follower);
    Event event = runnerFixture.publish("x", 1);

    assertThat(runner.iterate()).isEqualTo(new DeliveryCounts(0, 1, 0, 0, 0));
    assertThat(ledger.log().head()).isEmpty();
    assertThat(claim(event).lastError().orElseThrow()).startsWith("LeaseExpiredException: ");

    runnerFixture.pass(Duration.ofSeconds(1));
    assertThat(runner.drain(Duration.ZERO).isEmpty()).isTrue();
    assertThat(ledger.log().head()).contains(1L);
    assertThat(followers).hasSize(1);
  }

  @Test
  void aHandlerWithoutALedgerCantCommit() throws Exception {
    Runner runner =
        runner(
            HandlerRegistration.of(
                "a", EventTypeFilter.in("x"), eventContext -> eventContext.commit()));
    Event event = runnerFixture.publish("x", 1);

    runner.iterate();

    assertThat(claim(event).lastError().orElseThrow()).contains("has no ledger");
  }

  @Test
  void sourcesAreLookedAtInEachIteration() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    outbox.close();
    Runner runner =
        Runner.of(
            bus,
            RunnerFixture.NAMESPACE,
            List.of(follower),
            RunnerOptions.standard().withSources(List.of(outbox, new Counting(looks))));

    runner.iterate();
    runner.iterate();

    assertThat(looks).hasValue(2);
  }

  private record Counting(AtomicInteger looks) implements EventSource {
    @Override
    public int poll() {
      looks.incrementAndGet();
      return 0;
    }

    @Override
    public void close() {}
  }

  private HandlerRegistration writing(Handler handler) {
    return HandlerRegistration.of("writer", EventTypeFilter.in("x"), handler)
        .withLedger(outbox, () -> ledger.session(RecordType.of(Customer.class)));
  }

  private Runner runner(HandlerRegistration... handlers) {
    return Runner.of(
        bus, RunnerFixture.NAMESPACE, List.of(handlers), RunnerOptions.standard().withThreads(1));
  }

  private Claim claim(Event event) {
    return runnerFixture.namespace().inspect(event.id()).orElseThrow().claims().get(0);
  }
}
