// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.events.model.Backlog;
import io.tidemark.events.model.BusOptions;
import io.tidemark.events.model.Claim;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventStatus;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.NewEvent;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How much runs at once, and how it comes to an end. */
final class RunnerStopTest {
  private final RunnerFixture runnerFixture = new RunnerFixture();
  private final CountDownLatch go = new CountDownLatch(1);
  private final Semaphore begun = new Semaphore(0);
  private final AtomicInteger done = new AtomicInteger();

  @Test
  void aHandlerHandlesNoMoreAtOnceThanItMay() {
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    HandlerRegistration slow =
        HandlerRegistration.ofAll(
                "a",
                eventContext -> {
                  most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                  waitForGo();
                  atOnce.decrementAndGet();
                  done.incrementAndGet();
                })
            .withConcurrency(2)
            .withPriority(900);
    AtomicInteger others = new AtomicInteger();
    HandlerRegistration quick =
        HandlerRegistration.ofAll("b", eventContext -> others.incrementAndGet());
    for (int i = 0; i < 6; i++) {
      runnerFixture.publish("x", i);
    }
    try (Runner runner = runnerFixture.runner(RunnerOptions.standard(), slow, quick)) {
      runner.start();
      begun.acquireUninterruptibly(2);
      await().until(() -> others.get() == 6); // who has less priority isn't kept waiting
      assertThat(most).hasValue(2);
      go.countDown();
      await().until(() -> done.get() == 6);
    }
    assertThat(most).hasValue(2);
  }

  @Test
  void allHandlersTogetherHaveNoMoreThreadsThanTheyMay() throws Exception {
    Runner runner =
        runnerFixture.runner(
            RunnerOptions.standard().withThreads(3),
            HandlerRegistration.ofAll("a", eventContext -> waitForGo()).withConcurrency(10),
            HandlerRegistration.ofAll("b", eventContext -> waitForGo()).withConcurrency(10));
    for (int i = 0; i < 10; i++) {
      runnerFixture.publish("x", i);
    }
    runner.start();
    begun.acquireUninterruptibly(3);
    assertThat(begun.availablePermits()).isZero();
    go.countDown();
    await().until(() -> runner.tally().acked() == 20);
    runner.close();
  }

  @Test
  void whatRunsIsFinishedAndNothingElseIsBegunWhenARunnerStops() {
    Runner runner =
        runnerFixture.runner(
            HandlerRegistration.ofAll(
                "a",
                eventContext -> {
                  waitForGo();
                  done.incrementAndGet();
                }));
    Event first = runnerFixture.publish("x", 1);
    Event second = runnerFixture.publish("x", 2);
    runner.start();
    begun.acquireUninterruptibly(1);

    runner.stop();
    go.countDown();
    runner.close();

    assertThat(done).hasValue(1);
    assertThat(runner.tally()).isEqualTo(new DeliveryCounts(1, 0, 0, 0, 0));
    assertThat(status(first)).isEqualTo(EventStatus.ACKED);
    assertThat(status(second)).isEqualTo(EventStatus.PENDING);
    assertThatThrownBy(runner::start).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whoDoesntComeToAnEndIsInterruptedAndHasFailed() {
    Runner runner =
        runnerFixture.runner(
            RunnerOptions.standard().withGrace(Duration.ofMillis(10)),
            HandlerRegistration.ofAll("a", eventContext -> waitForGo()));
    Event event = runnerFixture.publish("x", 1);
    runner.start();
    begun.acquireUninterruptibly(1);

    runner.close();

    await().until(() -> runner.tally().released() == 1);
    Claim claim = runnerFixture.namespace().inspect(event.id()).orElseThrow().claims().get(0);
    assertThat(claim.lastError()).contains("InterruptedException");
  }

  @Test
  void aRunnerThatIsStartedFindsWhatIsPublishedLater() {
    RunnerOptions often = RunnerOptions.standard().withPollInterval(Duration.ofMillis(1));
    try (Runner runner =
        runnerFixture.runner(
            often, HandlerRegistration.ofAll("a", eventContext -> done.incrementAndGet()))) {
      runner.start();
      for (int i = 1; i <= 3; i++) {
        int published = i;
        runnerFixture.publish("x", i);
        await().until(() -> done.get() == published);
      }
    }
  }

  @Test
  void aShareThatIsUsedUpIsFollowedByTheNextAtOnce() {
    RunnerOptions seldom =
        RunnerOptions.standard()
            .withPollInterval(Duration.ofDays(1))
            .withClaimLimit(2)
            .withMaxEventsPerIteration(3);
    for (int i = 0; i < 11; i++) {
      runnerFixture.publish("x", i);
    }
    try (Runner runner =
        runnerFixture.runner(
            seldom,
            HandlerRegistration.ofAll("a", eventContext -> done.incrementAndGet()),
            HandlerRegistration.ofAll("b", eventContext -> done.incrementAndGet())
                .withConcurrency(3))) {
      runner.start();
      await().until(() -> done.get() == 22);
    }
  }

  @Test
  void aDrainGoesOnUntilNothingIsLeftToDo() throws Exception {
    Runner runner =
        runnerFixture.runner(
            HandlerRegistration.ofAll(
                "a",
                eventContext -> {
                  int number = eventContext.event().payloadTree().path("number").intValue();
                  if (number > 0) {
                    eventContext.emit(NewEvent.of("x", "{\"number\":" + (number - 1) + "}"));
                  }
                  done.incrementAndGet();
                }));
    runnerFixture.publish("x", 5);
    runnerFixture.publish("x", 7);

    assertThat(runner.drain(Duration.ZERO).isEmpty()).isTrue();

    assertThat(done).hasValue(14);
  }

  @Test
  void aDrainGoesOnBehindManyEventsThatNobodyWants() throws Exception {
    RunnerFixture shortsighted =
        new RunnerFixture(BusOptions.standard().withLimits(new BusOptions.Limits(1_000, 20, 5)));
    Runner runner =
        shortsighted.runner(
            HandlerRegistration.of(
                "a", EventTypeFilter.in("wanted"), eventContext -> done.incrementAndGet()));
    for (int i = 0; i < 40; i++) {
      shortsighted.publish("x", i);
    }
    shortsighted.publish("wanted", 1);

    runner.drain(Duration.ZERO);

    assertThat(done).hasValue(1);
  }

  @Test
  void aDrainWaitsForWhatHasFailedAsLongAsItsPatienceLasts() throws Exception {
    Runner runner =
        runnerFixture.runner(
            HandlerRegistration.ofAll(
                "a",
                eventContext -> {
                  runnerFixture
                      .clock()
                      .jump(Duration.ofSeconds(2)); // the drain's own waiting is fake
                  if (eventContext.attempt() < 3) {
                    throw new IllegalStateException("not yet");
                  }
                }));
    runnerFixture.publish("x", 1);

    Backlog left = runner.drain(Duration.ZERO);
    assertThat(left.waiting()).isEqualTo(1);
    assertThat(left.claimable()).isZero();
    assertThat(runner.tally().released()).isEqualTo(1);

    runnerFixture.pass(Duration.ofSeconds(1));
    left = runner.drain(Duration.ZERO);
    assertThat(left.nextDue()).isPresent();
    runnerFixture.pass(Duration.ofSeconds(2));
    assertThat(runner.drain(Duration.ofMinutes(1)).isEmpty()).isTrue();
    assertThat(runner.tally()).isEqualTo(new DeliveryCounts(1, 2, 0, 0, 0));
  }

  private EventStatus status(Event event) {
    return runnerFixture.namespace().inspect(event.id()).orElseThrow().status();
  }

  private void waitForGo() throws InterruptedException {
    begun.release();
    go.await();
  }
}
