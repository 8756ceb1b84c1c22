// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.events.model.BusOptions;
import io.tidemark.events.model.DeadLetter;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.Interest;
import io.tidemark.events.model.ListedEvent;
import io.tidemark.events.model.NewEvent;
import io.tidemark.testkit.objects.Fault;
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
  private final World world = new World();
  private final List<Event> followers = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger handled = new AtomicInteger();

  private final Registration emitter =
      Registration.of(
          "emitter",
          Interest.in("x"),
          context -> {
            handled.incrementAndGet();
            context.emit(NewEvent.of("y", "{\"n\":1}"));
            context.emit(NewEvent.of("y", "{\"n\":2}").withPriority(7));
          });
  private final Registration follower =
      Registration.of("follower", Interest.in("y"), context -> followers.add(context.event()));

  @Test
  void whatIsEmittedContinuesTheChain() throws Exception {
    Event event = world.publish("x", 1);

    assertThat(world.runner(emitter, follower).drain(Duration.ZERO).isEmpty()).isTrue();

    assertThat(followers).extracting(Event::payload).containsExactly("{\"n\":1}", "{\"n\":2}");
    assertThat(followers).extracting(Event::rootEventId).containsOnly(event.id());
    assertThat(followers).extracting(Event::chainDepth).containsOnly(1);
    assertThat(followers).extracting(Event::priority).containsExactly(100, 7);
    assertThat(followers).extracting(Event::id).doesNotHaveDuplicates();
  }

  @Test
  void aHandlerThatFailsHasEmittedNothing() throws Exception {
    Runner runner =
        world.runner(
            Registration.of(
                "emitter",
                Interest.in("x"),
                context -> {
                  context.emit(NewEvent.of("y", "{}"));
                  throw new IllegalStateException("after all");
                }),
            follower);
    world.publish("x", 1);

    runner.drain(Duration.ZERO);

    assertThat(followers).isEmpty();
    assertThat(world.namespace().list(10)).hasSize(1);
  }

  @Test
  void aProcessThatDiesBetweenEmitAndAckHasEmittedOnce() throws Exception {
    Event event = world.publish("x", 1);
    world.faulty().next((o, key) -> isSecondPut(o, key, event), Fault.unavailable());

    Tally dying = world.runner(emitter).iterate();
    assertThat(dying).isEqualTo(new Tally(0, 0, 0, 0, 1));
    assertThat(world.runner(follower).iterate().acked()).isEqualTo(2);
    world.pass(Duration.ofSeconds(31));
    assertThat(world.runner(emitter, follower).drain(Duration.ZERO).isEmpty()).isTrue();

    assertThat(handled).hasValue(2);
    assertThat(followers).hasSize(2).extracting(Event::id).doesNotHaveDuplicates();
    assertThat(world.faulty().waiting()).isZero();
  }

  @Test
  void whatIsEmittedIsNotLostWhenItCantBePublishedAtOnce() throws Exception {
    for (int survivors = 0; survivors < 2; survivors++) {
      followers.clear();
      world.publish("x", survivors);
      AtomicInteger puts = new AtomicInteger();
      int lucky = survivors;
      world
          .faulty()
          .next(
              (o, key) ->
                  o == Operation.PUT && key.contains("/events/") && puts.getAndIncrement() == lucky,
              Fault.unavailable());

      assertThat(world.runner(emitter).iterate()).isEqualTo(new Tally(0, 1, 0, 0, 0));
      world.pass(Duration.ofSeconds(1));
      assertThat(world.runner(emitter, follower).drain(Duration.ZERO).isEmpty()).isTrue();

      assertThat(followers).hasSize(2).extracting(Event::id).doesNotHaveDuplicates();
    }
  }

  @Test
  void anAckWhoseAnswerIsLostIsAnAck() throws Exception {
    Event event = world.publish("x", 1);
    world.faulty().next((o, key) -> isSecondPut(o, key, event), Fault.loseAnswer());

    assertThat(world.runner(emitter).iterate()).isEqualTo(new Tally(1, 0, 0, 0, 0));
    world.pass(Duration.ofSeconds(31));
    assertThat(world.runner(emitter).iterate()).isEqualTo(Tally.NONE);
    assertThat(handled).hasValue(1);
  }

  @Test
  @DisplayName("J12: what would make a chain too long ends as a dead letter")
  void aChainHasAnEnd() throws Exception {
    World shallow =
        new World(BusOptions.standard().withLimits(new BusOptions.Limits(1_000, 1, 2_000)));
    Runner runner =
        shallow.runner(
            Registration.of(
                "hop",
                Interest.in("hop"),
                context -> {
                  handled.incrementAndGet();
                  context.emit(NewEvent.of("hop", "{}"));
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
    assertThat(runner.tally()).isEqualTo(new Tally(1, 0, 1, 0, 0));
  }

  @Test
  void anEventCanBeEmittedInAnotherNamespace() throws Exception {
    var elsewhere = world.bus().namespace("elsewhere");
    Runner runner =
        world.runner(
            Registration.ofAll(
                "a", context -> context.emit(elsewhere, NewEvent.of("y", "{\"n\":1}"))));
    Event event = world.publish("x", 1);

    runner.drain(Duration.ZERO);

    assertThat(elsewhere.list(10))
        .singleElement()
        .satisfies(
            listed -> assertThat(listed.event().orElseThrow().rootEventId()).isEqualTo(event.id()));
    assertThat(world.namespace().list(10)).hasSize(1);
  }

  private final AtomicInteger claims = new AtomicInteger();

  private boolean isSecondPut(Operation operation, String key, Event event) {
    BiPredicate<Operation, String> put =
        (o, k) -> o == Operation.PUT && k.contains("/claims/") && k.contains(event.id());
    return put.test(operation, key) && claims.incrementAndGet() == 2;
  }
}
