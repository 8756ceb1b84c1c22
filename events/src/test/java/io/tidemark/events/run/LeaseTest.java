// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.events.model.BusOptions;
import io.tidemark.events.model.Claim;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.NewEvent;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.Operation;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who has an event, and for how long. */
final class LeaseTest {
  /** So long that the runner's own thread doesn't come to renew it during a test. */
  private static final Duration LEASE = Duration.ofHours(3);

  private final RunnerFixture runnerFixture =
      new RunnerFixture(BusOptions.standard().withClaimLease(LEASE));
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private final AtomicBoolean held = new AtomicBoolean();
  private final AtomicInteger others = new AtomicInteger();

  private final Runner slow =
      runnerFixture.runner(
          HandlerRegistration.ofAll(
              "a",
              eventContext -> {
                if (eventContext.event().type().equals("x")) {
                  eventContext.emit(NewEvent.of("x.followed", "{}"));
                  begun.countDown();
                  go.await();
                  held.set(eventContext.isHeld());
                }
              }));
  private final Runner other =
      runnerFixture.runner(
          HandlerRegistration.ofAll("a", eventContext -> others.incrementAndGet()));

  @AfterEach
  void close() {
    go.countDown();
    slow.close();
    other.close();
  }

  @Test
  void aLeaseIsRenewedWhenAThirdOfItHasPassed() throws Exception {
    Event event = begin();

    runnerFixture.pass(LEASE.dividedBy(3).minusMillis(1));
    assertThat(slow.renewDue()).isZero();
    runnerFixture.pass(Duration.ofMillis(1));
    assertThat(slow.renewDue()).isEqualTo(1);
    assertThat(claim(event).leaseUntil()).isEqualTo(runnerFixture.clock().instant().plus(LEASE));
    assertThat(slow.renewDue()).isZero();

    runnerFixture.pass(LEASE.minusSeconds(1));
    assertThat(other.iterate()).isEqualTo(DeliveryCounts.NONE);
    assertThat(slow.renewDue()).isEqualTo(1);
    runnerFixture.pass(LEASE.minusSeconds(1));
    assertThat(other.iterate()).isEqualTo(DeliveryCounts.NONE);
    go.countDown();
    await().until(() -> slow.tally().acked() >= 1);
    assertThat(held).isTrue();
    assertThat(claim(event).ackAt()).isPresent();
    assertThat(claim(event).leaseExpiries()).isZero();
  }

  @Test
  void aRenewalThatFailsIsTriedAgain() {
    Event event = begin();
    runnerFixture.pass(LEASE.dividedBy(3));
    runnerFixture.faulty().next(Operation.PUT, key(event), BackendFault.unavailable());

    assertThat(slow.renewDue()).isZero();
    assertThat(slow.renewDue()).isEqualTo(1);
    assertThat(claim(event).leaseUntil()).isEqualTo(runnerFixture.clock().instant().plus(LEASE));
  }

  @Test
  void whoHasLostTheLeaseDoesntAck() throws Exception {
    Event event = begin();

    runnerFixture.pass(LEASE);
    assertThat(other.iterate()).isEqualTo(new DeliveryCounts(1, 0, 0, 0, 0));
    Claim settled = claim(event);
    go.countDown();
    await().until(() -> slow.tally().superseded() == 1);

    assertThat(held).isFalse();
    assertThat(claim(event)).isEqualTo(settled);
    assertThat(settled.leaseExpiries()).isEqualTo(1);
  }

  @Test
  void whoLearnsThatTheLeaseIsLostPublishesNothing() throws Exception {
    Event event = begin();

    runnerFixture.pass(LEASE);
    assertThat(other.iterate()).isEqualTo(new DeliveryCounts(1, 0, 0, 0, 0));
    assertThat(slow.renewDue()).isZero();
    go.countDown();
    await().until(() -> slow.tally().superseded() == 1);

    assertThat(runnerFixture.namespace().list(10))
        .hasSize(1)
        .extracting(e -> e.id())
        .contains(event.id());
    assertThat(slow.renewDue()).isZero();
  }

  @Test
  void whoIsLateButNotReplacedStillAcks() {
    Event event = begin();

    runnerFixture.pass(LEASE.multipliedBy(2));
    go.countDown();
    await().until(() -> slow.tally().acked() >= 1);

    assertThat(claim(event).ackAt()).isPresent();
  }

  private Event begin() {
    Event event = runnerFixture.publish("x", 1);
    slow.start();
    try {
      begun.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return event;
  }

  private Claim claim(Event event) {
    return runnerFixture.namespace().inspect(event.id()).orElseThrow().claims().get(0);
  }

  private static String key(Event event) {
    return "bus/claims/default/" + event.id() + "/a.json";
  }
}
