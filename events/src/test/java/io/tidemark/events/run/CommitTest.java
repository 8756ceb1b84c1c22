// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.events.EventBus;
import io.tidemark.events.model.Claim;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.Interest;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.source.EventSource;
import io.tidemark.events.source.LedgerOutbox;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInit;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.testkit.objects.Fault;
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
  private final World world = new World();
  private final EventBus bus = world.bus();
  private final List<Event> followers = new ArrayList<>();
  private final Registration follower =
      Registration.of("follower", Interest.in("y"), context -> followers.add(context.event()));
  private final Ledger ledger;
  private final LedgerOutbox outbox;

  @Entity
  record Customer(@Key String id, long age) {}

  CommitTest() {
    new LedgerInit(world.store(), "ledger/").init();
    ledger = open();
    outbox = LedgerOutbox.open(bus, ledger, "shop");
  }

  private Ledger open() {
    return Ledger.open(world.store(), "ledger/", LedgerOptions.standard());
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
        runner(writing(context -> context.session().ensure(new Customer("a", 1))), follower);
    Event first = world.publish("x", 1);
    world.publish("x", 2);

    assertThat(runner.iterate()).isEqualTo(new Tally(2, 0, 0, 0, 0));

    assertThat(ledger.log().head()).isEmpty();
    assertThat(claim(first).ackAt()).isPresent();
  }

  @Test
  void aCommitTakesWithItWhatWasEmittedBefore() throws Exception {
    Runner runner =
        runner(
            writing(
                context -> {
                  context.session().ensure(new Customer(context.event().id(), 1));
                  context.emit(NewEvent.of("y", "{\"n\":1}"));
                  assertThat(context.commit()).isPresent();
                  context.emit(NewEvent.of("y", "{\"n\":2}"));
                }),
            follower);
    Event event = world.publish("x", 1);

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
                context -> {
                  handled.incrementAndGet();
                  context.session().ensure(new Customer(context.event().id(), 1));
                  context.emit(NewEvent.of("y", "{}"));
                  context.commit();
                }),
            follower);
    Event event = world.publish("x", 1);
    AtomicInteger puts = new AtomicInteger();
    world
        .faulty()
        .next(
            (o, key) ->
                o == Operation.PUT
                    && key.contains("/claims/default/" + event.id())
                    && puts.incrementAndGet() == 2,
            Fault.unavailable());

    assertThat(runner.iterate().unsettled()).isEqualTo(1);
    world.pass(Duration.ofSeconds(31));
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
                context -> {
                  context.session().ensure(new Customer("a", 1));
                  context.emit(NewEvent.of("y", "{}"));
                  if (context.attempt() == 1) {
                    world.clock().jump(Duration.ofSeconds(30));
                  }
                  context.commit();
                }),
            follower);
    Event event = world.publish("x", 1);

    assertThat(runner.iterate()).isEqualTo(new Tally(0, 1, 0, 0, 0));
    assertThat(ledger.log().head()).isEmpty();
    assertThat(claim(event).lastError().orElseThrow()).startsWith("LeaseExpiredException: ");

    world.pass(Duration.ofSeconds(1));
    assertThat(runner.drain(Duration.ZERO).isEmpty()).isTrue();
    assertThat(ledger.log().head()).contains(1L);
    assertThat(followers).hasSize(1);
  }

  @Test
  void aHandlerWithoutALedgerCantCommit() throws Exception {
    Runner runner = runner(Registration.of("a", Interest.in("x"), context -> context.commit()));
    Event event = world.publish("x", 1);

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
            World.NAMESPACE,
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

  private Registration writing(Handler handler) {
    return Registration.of("writer", Interest.in("x"), handler)
        .withLedger(outbox, () -> ledger.session(RecordType.of(Customer.class)));
  }

  private Runner runner(Registration... handlers) {
    return Runner.of(
        bus, World.NAMESPACE, List.of(handlers), RunnerOptions.standard().withThreads(1));
  }

  private Claim claim(Event event) {
    return world.namespace().inspect(event.id()).orElseThrow().claims().get(0);
  }
}
