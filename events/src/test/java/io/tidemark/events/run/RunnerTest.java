// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.events.model.Claim;
import io.tidemark.events.model.DeadLetter;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.EventTypes;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.SessionInfo;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.WriteResult;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What handlers get, in which order, and what becomes of it. */
final class RunnerTest {
  private final RunnerFixture runnerFixture = new RunnerFixture();
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());

  record OrderCreated(String order, int amount) {}

  @Test
  void eachHandlerGetsTheEventsItWants() throws Exception {
    Runner runner =
        runnerFixture.runner(
            HandlerRegistration.of(
                "billing", OrderCreated.class, (order, eventContext) -> log.add("bill " + order)),
            HandlerRegistration.of("shipping", EventTypeFilter.in("order.paid"), logging("ship")),
            HandlerRegistration.ofAll("audit", logging("audit")));
    runnerFixture.publish(NewEvent.of(new OrderCreated("a", 3)));
    runnerFixture.publish("order.paid", 1);

    assertThat(runner.iterate()).isEqualTo(new DeliveryCounts(4, 0, 0, 0, 0));

    assertThat(log)
        .containsExactly(
            "audit order.created",
            "audit order.paid",
            "bill OrderCreated[order=a, amount=3]",
            "ship order.paid");
    assertThat(runner.iterate()).isEqualTo(DeliveryCounts.NONE);
    assertThat(runner.backlog().isEmpty()).isTrue();
  }

  @Test
  void handlersGetTheirTurnByPriorityAndThenById() throws Exception {
    Runner runner =
        runnerFixture.runner(
            HandlerRegistration.ofAll("c", logging("c")).withPriority(5),
            HandlerRegistration.ofAll("b", logging("b")).withPriority(5),
            HandlerRegistration.ofAll("a", logging("a")).withPriority(1),
            HandlerRegistration.ofAll("d", logging("d")).withPriority(9));
    runnerFixture.publish("x", 1);

    runner.iterate();

    assertThat(log).containsExactly("d x", "b x", "c x", "a x");
  }

  @Test
  void aHandlerGetsEventsByPriorityAndThenByTime() throws Exception {
    Runner runner = runnerFixture.runner(HandlerRegistration.ofAll("a", logging("a")));
    runnerFixture.publish(NewEvent.of("x.low", "{}").withPriority(1));
    runnerFixture.publish(NewEvent.of("x.first", "{}"));
    runnerFixture.publish(NewEvent.of("x.high", "{}").withPriority(900));
    runnerFixture.publish(NewEvent.of("x.second", "{}"));

    runner.iterate();

    assertThat(log).containsExactly("a x.high", "a x.first", "a x.second", "a x.low");
  }

  @Test
  void oneIterationHandlesAsMuchAsItMay() throws Exception {
    Runner runner =
        runnerFixture.runner(
            RunnerOptions.standard().withThreads(1).withClaimLimit(3).withMaxEventsPerIteration(5),
            HandlerRegistration.ofAll("a", logging("a")),
            HandlerRegistration.ofAll("b", logging("b")));
    for (int i = 0; i < 4; i++) {
      runnerFixture.publish("x", i);
    }

    assertThat(runner.iterate().acked()).isEqualTo(5);
    assertThat(log).containsExactly("a x", "a x", "a x", "b x", "b x");
    assertThat(runner.iterate().acked()).isEqualTo(3);
    assertThat(runner.iterate().acked()).isZero();
  }

  @Test
  void aHandlerThatFailsGetsTheEventAgainUnderTheSameKey() throws Exception {
    List<String> keys = new ArrayList<>();
    Runner runner =
        runnerFixture.runner(
            HandlerRegistration.ofAll(
                "a",
                eventContext -> {
                  keys.add(eventContext.idempotencyKey() + " " + eventContext.attempt());
                  if (eventContext.attempt() < 3) {
                    throw new IllegalStateException("not yet");
                  }
                }));
    Event event = runnerFixture.publish("x", 1);

    assertThat(runner.iterate()).isEqualTo(new DeliveryCounts(0, 1, 0, 0, 0));
    assertThat(claim(event, "a").lastError()).contains("IllegalStateException: not yet");
    assertThat(runner.iterate()).isEqualTo(DeliveryCounts.NONE);
    runnerFixture.pass(Duration.ofSeconds(1));
    assertThat(runner.iterate()).isEqualTo(new DeliveryCounts(0, 1, 0, 0, 0));
    runnerFixture.pass(Duration.ofSeconds(2));
    assertThat(runner.iterate()).isEqualTo(new DeliveryCounts(1, 0, 0, 0, 0));

    String key = "default/" + event.id() + "/a";
    assertThat(keys).containsExactly(key + " 1", key + " 2", key + " 3");
    assertThat(claim(event, "a").attempts()).isEqualTo(2);
  }

  @Test
  void whateverAHandlerThrowsIsItsOwnFailure() throws Exception {
    Runner runner =
        runnerFixture.runner(
            HandlerRegistration.ofAll(
                "a",
                eventContext -> {
                  throw new StackOverflowError();
                }),
            HandlerRegistration.ofAll(
                "b",
                eventContext -> {
                  Thread.currentThread().interrupt();
                  throw new InterruptedException("woken");
                }),
            HandlerRegistration.ofAll("c", logging("c")));
    Event event = runnerFixture.publish("x", 1);

    assertThat(runner.iterate()).isEqualTo(new DeliveryCounts(1, 2, 0, 0, 0));

    assertThat(claim(event, "a").lastError()).contains("StackOverflowError");
    assertThat(claim(event, "b").lastError()).contains("InterruptedException: woken");
    assertThat(log).containsExactly("c x");
  }

  @Test
  @DisplayName("J7: what can't be decoded ends as a dead letter and stops nobody")
  void poisonIsGivenUpAndStopsNobody() throws Exception {
    Runner runner =
        runnerFixture.runner(
            HandlerRegistration.of(
                "a", OrderCreated.class, (order, eventContext) -> log.add(order.order())));
    runnerFixture.publish(NewEvent.of(new OrderCreated("first", 1)));
    Event poison = runnerFixture.publish(NewEvent.of("order.created", "{\"amount\":\"many\"}"));
    String broken = "bus/events/default/2026-03-02T10-00-00.502500+00-00_broken.json";
    WriteResult unused =
        runnerFixture
            .store()
            .put(broken, Body.of("{\"id\":".getBytes(UTF_8)), Condition.ifAbsent());
    runnerFixture.publish(NewEvent.of(new OrderCreated("second", 2)));

    assertThat(runner.iterate()).isEqualTo(new DeliveryCounts(2, 0, 1, 0, 0));

    assertThat(log).containsExactly("first", "second");
    List<DeadLetter> letters = runnerFixture.namespace().deadLetters(10);
    assertThat(letters).extracting(DeadLetter::eventId).contains(poison.id(), "broken").hasSize(2);
    assertThat(letters)
        .filteredOn(letter -> letter.eventId().equals(poison.id()))
        .singleElement()
        .satisfies(letter -> assertThat(letter.lastError()).contains("is no OrderCreated", "many"));
  }

  @Test
  void aHandlerCanGiveAnEventUp() throws Exception {
    Runner runner =
        runnerFixture.runner(
            HandlerRegistration.of(
                "a",
                EventTypeFilter.in("x"),
                eventContext -> {
                  throw new PermanentFailureException("the customer is gone");
                }),
            HandlerRegistration.of("b", EventTypeFilter.in(EventTypes.DEAD_LETTER), logging("b")));
    runnerFixture.publish("x", 1);

    assertThat(runner.drain(Duration.ZERO).isEmpty()).isTrue();

    assertThat(runnerFixture.namespace().deadLetters(10))
        .extracting(DeadLetter::lastError)
        .containsExactly("the customer is gone");
    assertThat(log).containsExactly("b " + EventTypes.DEAD_LETTER);
  }

  @Test
  void aStoreThatCantBeReachedStopsNothingForGood() throws Exception {
    Runner runner = runnerFixture.runner(HandlerRegistration.ofAll("a", logging("a")));
    runner.iterate();
    Event event = runnerFixture.publish("x", 1);
    runnerFixture.faulty().always(Operation.LIST, BackendFault.unavailable());
    runnerFixture.faulty().always(Operation.PUT, BackendFault.unavailable());

    assertThat(runner.iterate()).isEqualTo(DeliveryCounts.NONE);
    runnerFixture.faulty().clearFaults();
    runnerFixture.faulty().next(Operation.PUT, claimKey(event, "a"), BackendFault.unavailable());
    assertThat(runner.iterate()).isEqualTo(DeliveryCounts.NONE);
    assertThat(runner.iterate()).isEqualTo(new DeliveryCounts(1, 0, 0, 0, 0));
    assertThat(log).containsExactly("a x");
  }

  @Test
  void anIdleIterationCostsTwoRequestsAtMost() throws Exception {
    List<HandlerRegistration> handlers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      handlers.add(HandlerRegistration.ofAll("h" + i, logging("h" + i)).withConcurrency(4));
    }
    Runner runner =
        runnerFixture.runner(
            RunnerOptions.standard(), handlers.toArray(new HandlerRegistration[0]));
    for (int i = 0; i < 20; i++) {
      runnerFixture.publish("x", i);
    }
    assertThat(runner.drain(Duration.ZERO).isEmpty()).isTrue();
    assertThat(log).hasSize(200);
    for (int i = 0; i < 10; i++) {
      runnerFixture.counting().reset();
      runner.iterate();
      assertThat(runnerFixture.counting().requests().total()).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void aRunnerSaysThatItIsAlive() throws Exception {
    Runner runner = runnerFixture.runner(RunnerOptions.standard().withSessionId("s1"));

    runner.iterate();
    assertThat(session().metadata().path("pid").asLong()).isEqualTo(ProcessHandle.current().pid());
    runnerFixture.pass(Duration.ofSeconds(4));
    runner.iterate();
    assertThat(session().lastHeartbeat()).isEqualTo(RunnerFixture.START);
    runnerFixture.pass(Duration.ofSeconds(1));
    runner.iterate();
    assertThat(session().lastHeartbeat()).isEqualTo(RunnerFixture.START.plusSeconds(5));
    assertThat(session().metadata().path("pid").asLong()).isPositive();
    runnerFixture.pass(Duration.ofSeconds(61));
    assertThat(session().dead()).isTrue();
  }

  @Test
  void twoHandlersCantHaveOneId() {
    HandlerRegistration one = HandlerRegistration.ofAll("a", logging("a"));
    assertThatThrownBy(() -> runnerFixture.runner(one, one))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two handlers have the id a");
    assertThatThrownBy(() -> HandlerRegistration.ofAll("a/b", logging("a")))
        .isInstanceOf(io.tidemark.events.model.InvalidNameException.class);
  }

  private Handler logging(String who) {
    return eventContext -> log.add(who + " " + eventContext.event().type());
  }

  private SessionInfo session() {
    return runnerFixture.namespace().sessions().list().get(0);
  }

  private Claim claim(Event event, String handler) {
    return runnerFixture.namespace().inspect(event.id()).orElseThrow().claims().stream()
        .filter(claim -> claim.handlerId().equals(handler))
        .findFirst()
        .orElseThrow();
  }

  private static String claimKey(Event event, String handler) {
    return "bus/claims/default/" + event.id() + "/" + handler + ".json";
  }
}
