// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.events.model.BusOptions;
import io.tidemark.events.model.DeadLetter;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.ListedEvent;
import io.tidemark.events.model.NewEvent;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What handlers publish because of what they get. */
final class EmitTest {
  private final RunnerFixture runnerFixture = new RunnerFixture();
  private final List<Event> followers = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger handled = new AtomicInteger();

  private final HandlerRegistration emitter =
      HandlerRegistration.of(
          "emitter",
          EventTypeFilter.in("x"),
          eventContext -> {
            handled.incrementAndGet();
            eventContext.emit(NewEvent.of("y", "{\"n\":1}"));
            eventContext.emit(NewEvent.of("y", "{\"n\":2}").withPriority(7));
          });
  private final HandlerRegistration follower =
      HandlerRegistration.of(
          "follower", EventTypeFilter.in("y"), eventContext -> followers.add(eventContext.event()));

  @Test
  void whatIsEmittedContinuesTheChain() throws Exception {
    Event event = runnerFixture.publish("x", 1);

    assertThat(runnerFixture.runner(emitter, follower).drain(Duration.ZERO).isEmpty()).isTrue();

    assertThat(followers).extracting(Event::payload).containsExactly("{\"n\":1}", "{\"n\":2}");
    assertThat(followers).extracting(Event::rootEventId).containsOnly(event.id());
    assertThat(followers).extracting(Event::chainDepth).containsOnly(1);
    assertThat(followers).extracting(Event::priority).containsExactly(100, 7);
    assertThat(followers).extracting(Event::id).doesNotHaveDuplicates();
  }

  @Test
  void aHandlerThatFailsHasEmittedNothing() throws Exception {
    Runner runner =
        runnerFixture.runner(
            HandlerRegistration.of(
                "emitter",
                EventTypeFilter.in("x"),
                eventContext -> {
                  eventContext.emit(NewEvent.of("y", "{}"));
                  throw new IllegalStateException("after all");
                }),
            follower);
    runnerFixture.publish("x", 1);

    runner.drain(Duration.ZERO);

    assertThat(followers).isEmpty();
    assertThat(runnerFixture.namespace().list(10)).hasSize(1);
  }

  @Test
  void aProcessThatDiesBetweenEmitAndAckHasEmittedOnce() throws Exception {
    Event event = runnerFixture.publish("x", 1);
    runnerFixture.faulty().next((o, key) -> isSecondPut(o, key, event), BackendFault.unavailable());

    DeliveryCounts dying = runnerFixture.runner(emitter).iterate();
    assertThat(dying).isEqualTo(new DeliveryCounts(0, 0, 0, 0, 1));
    assertThat(runnerFixture.runner(follower).iterate().acked()).isEqualTo(2);
    runnerFixture.pass(Duration.ofSeconds(31));
    assertThat(runnerFixture.runner(emitter, follower).drain(Duration.ZERO).isEmpty()).isTrue();

    assertThat(handled).hasValue(2);
    assertThat(followers).hasSize(2).extracting(Event::id).doesNotHaveDuplicates();
    assertThat(runnerFixture.faulty().pendingFaults()).isZero();
  }

  @Test
  void whatIsEmittedIsNotLostWhenItCantBePublishedAtOnce() throws Exception {
    for (int survivors = 0; survivors < 2; survivors++) {
      followers.clear();
      runnerFixture.publish("x", survivors);
      AtomicInteger puts = new AtomicInteger();
      int lucky = survivors;
      runnerFixture
          .faulty()
          .next(
              (o, key) ->
                  o == Operation.PUT && key.contains("/events/") && puts.getAndIncrement() == lucky,
              BackendFault.unavailable());

      assertThat(runnerFixture.runner(emitter).iterate())
          .isEqualTo(new DeliveryCounts(0, 1, 0, 0, 0));
      runnerFixture.pass(Duration.ofSeconds(1));
      assertThat(runnerFixture.runner(emitter, follower).drain(Duration.ZERO).isEmpty()).isTrue();

      assertThat(followers).hasSize(2).extracting(Event::id).doesNotHaveDuplicates();
    }
  }

  @Test
  void anAckWhoseAnswerIsLostIsAnAck() throws Exception {
    Event event = runnerFixture.publish("x", 1);
    runnerFixture.faulty().next((o, key) -> isSecondPut(o, key, event), BackendFault.loseAnswer());

    assertThat(runnerFixture.runner(emitter).iterate())
        .isEqualTo(new DeliveryCounts(1, 0, 0, 0, 0));
    runnerFixture.pass(Duration.ofSeconds(31));
    assertThat(runnerFixture.runner(emitter).iterate()).isEqualTo(DeliveryCounts.NONE);
    assertThat(handled).hasValue(1);
  }

  @Test
  @DisplayName("J12: what would make a chain too long ends as a dead letter")
  void aChainHasAnEnd() throws Exception {
    RunnerFixture shallow =
        new RunnerFixture(BusOptions.standard().withLimits(new BusOptions.Limits(1_000, 1, 2_000)));
    Runner runner =
        shallow.runner(
            HandlerRegistration.of(
                "hop",
                EventTypeFilter.in("hop"),
                eventContext -> {
                  handled.incrementAndGet();
                  eventContext.emit(NewEvent.of("hop", "{}"));
                }));
    Event first = shallow.publish("hop", 1);

    assertThat(runner.drain(Duration.ZERO).isEmpty()).isTrue();

    assertThat(handled).hasValue(2);
    assertThat(shallow.namespace().deadLetters(10))
        .singleElement()
        .satisfies(letter -> assertThat(letter.lastError()).isEqualTo("max_event_chain_depth"))
        .extracting(DeadLetter::event)
        .satisfies(event -> assertThat(event.orElseThrow().rootEventId()).isEqualTo(first.id()))
        .satisfies(event -> assertThat(event.orElseThrow().chainDepth()).isEqualTo(1));
    assertThat(shallow.namespace().list(10)).extracting(ListedEvent::id).contains(first.id());
    assertThat(runner.tally()).isEqualTo(new DeliveryCounts(1, 0, 1, 0, 0));
  }

  @Test
  void anEventCanBeEmittedInAnotherNamespace() throws Exception {
    var elsewhere = runnerFixture.bus().namespace("elsewhere");
    Runner runner =
        runnerFixture.runner(
            HandlerRegistration.ofAll(
                "a", eventContext -> eventContext.emit(elsewhere, NewEvent.of("y", "{\"n\":1}"))));
    Event event = runnerFixture.publish("x", 1);

    runner.drain(Duration.ZERO);

    assertThat(elsewhere.list(10))
        .singleElement()
        .satisfies(
            listed -> assertThat(listed.event().orElseThrow().rootEventId()).isEqualTo(event.id()));
    assertThat(runnerFixture.namespace().list(10)).hasSize(1);
  }

  private final AtomicInteger claims = new AtomicInteger();

  private boolean isSecondPut(Operation operation, String key, Event event) {
    BiPredicate<Operation, String> put =
        (o, k) -> o == Operation.PUT && k.contains("/claims/") && k.contains(event.id());
    return put.test(operation, key) && claims.incrementAndGet() == 2;
  }
}
