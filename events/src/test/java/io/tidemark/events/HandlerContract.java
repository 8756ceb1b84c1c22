// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.events.model.BusOptions;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventStatus;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.run.DeliveryCounts;
import io.tidemark.events.run.HandlerRegistration;
import io.tidemark.events.run.Runner;
import io.tidemark.events.run.RunnerOptions;
import io.tidemark.events.source.LedgerOutbox;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInitializer;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.RecordType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a runner does for handlers on every store; more of it is tested in memory. */
interface HandlerContract {
  EventsFixture fixture();

  /** What is asked for. */
  record OrderCreated(long order) {}

  /** What is written. */
  @Entity
  record Customer(@Key String id, long age) {}

  private static Runner runner(EventBus bus, HandlerRegistration handler) {
    RunnerOptions one = RunnerOptions.standard().withThreads(1);
    return Runner.of(bus, EventsFixture.NS, List.of(handler), one);
  }

  @Test
  default void j7_aPayloadThatIsNoRecordEndsAsADeadLetterAndStopsNobody() throws Exception {
    List<Long> handled = new ArrayList<>();
    fixture().publish(NewEvent.of(new OrderCreated(1)));
    Event poison = fixture().publish(NewEvent.of("order.created", "{\"order\":\"many\"}"));
    fixture().publish(NewEvent.of(new OrderCreated(2)));
    HandlerRegistration billing =
        HandlerRegistration.of(
            "billing", OrderCreated.class, (order, eventContext) -> handled.add(order.order()));

    try (Runner runner = runner(fixture().bus(), billing)) {
      assertThat(runner.iterate()).isEqualTo(new DeliveryCounts(2, 0, 1, 0, 0));
    }

    assertThat(handled).containsExactly(1L, 2L);
    assertThat(fixture().namespace().deadLetters(10))
        .singleElement()
        .satisfies(letter -> assertThat(letter.eventId()).isEqualTo(poison.id()))
        .satisfies(letter -> assertThat(letter.lastError()).contains("is no OrderCreated"));
  }

  @Test
  default void j12_theSecondHopOfAChainOfOneIsADeadLetter() throws Exception {
    BusOptions shallow = fixture().options().withLimits(new BusOptions.Limits(1_000, 1, 2_000));
    EventBus bus = fixture().bus(shallow);
    Event first = bus.namespace(EventsFixture.NS).publish(NewEvent.of("hop", "{}")).event();
    HandlerRegistration hop =
        HandlerRegistration.of(
            "hop",
            EventTypeFilter.in("hop"),
            eventContext -> eventContext.emit(NewEvent.of("hop", "{}")));

    try (Runner runner = runner(bus, hop)) {
      assertThat(runner.drain(Duration.ZERO).isEmpty()).isTrue();
      assertThat(runner.tally()).isEqualTo(new DeliveryCounts(1, 0, 1, 0, 0));
    }

    assertThat(fixture().namespace().deadLetters(10))
        .singleElement()
        .satisfies(letter -> assertThat(letter.lastError()).isEqualTo("max_event_chain_depth"))
        .extracting(letter -> letter.event().orElseThrow())
        .satisfies(second -> assertThat(second.rootEventId()).isEqualTo(first.id()))
        .satisfies(second -> assertThat(second.chainDepth()).isEqualTo(1));
  }

  @Test
  default void j13_aHandlerThatDoesNotCommitWritesNothingAndOneThatDoesCommitsOnce()
      throws Exception {
    new LedgerInitializer(fixture().store(), "ledger/").init();
    EventBus bus = fixture().bus();
    Event event = fixture().publish("order.created");
    try (Ledger ledger = Ledger.open(fixture().store(), "ledger/", LedgerOptions.standard());
        LedgerOutbox outbox = LedgerOutbox.open(bus, ledger, "shop")) {
      HandlerRegistration silent =
          HandlerRegistration.of(
                  "silent",
                  EventTypeFilter.in("order.created"),
                  eventContext -> eventContext.session().ensure(new Customer("a", 1)))
              .withLedger(outbox, () -> ledger.session(RecordType.of(Customer.class)));
      try (Runner runner = runner(bus, silent)) {
        assertThat(runner.iterate()).isEqualTo(new DeliveryCounts(1, 0, 0, 0, 0));
      }
      assertThat(ledger.log().head()).isEmpty();
      assertThat(fixture().namespace().inspect(event.id()).orElseThrow().status())
          .isEqualTo(EventStatus.ACKED);

      HandlerRegistration writing =
          HandlerRegistration.of(
                  "writing",
                  EventTypeFilter.in("order.created"),
                  eventContext -> {
                    eventContext.session().ensure(new Customer("a", 1));
                    eventContext.emit(NewEvent.of("customer.known", "{}"));
                    assertThat(eventContext.commit()).isPresent();
                  })
              .withLedger(outbox, () -> ledger.session(RecordType.of(Customer.class)));
      try (Runner runner = runner(fixture().bus(), writing)) {
        assertThat(runner.iterate()).isEqualTo(new DeliveryCounts(1, 0, 0, 0, 0));
      }
      assertThat(ledger.log().head()).contains(1L);
      assertThat(ledger.log().get(1).orElseThrow().outboxSize()).isEqualTo(1);
    }
    assertThat(fixture().namespace().list(10))
        .extracting(listed -> listed.event().orElseThrow().type())
        .containsExactlyInAnyOrder("order.created", "customer.known");
  }
}
