// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import static io.tidemark.events.EventsFixture.PREFIX;
import static io.tidemark.events.EventsFixture.claimPath;
import static io.tidemark.events.EventsFixture.deadLetterPath;
import static io.tidemark.events.EventsFixture.ids;
import static io.tidemark.events.EventsFixture.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventStatus;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.Settlement;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FakeTime;
import io.tidemark.testkit.objects.FaultMix;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Answers that get lost, requests that fail, and processes that die in between. */
class FaultsTest {

  private static final ClaimRequest TYPE = new ClaimRequest("h", EventTypeFilter.in("t"), 10, "s");

  private final FaultyBackend faulty = new FaultyBackend(new MemoryBackend());
  private final EventsFixture fixture = new EventsFixture(faulty, FakeTime.retry(2));

  @AfterEach
  void close() {
    assertThat(faulty.pendingFaults()).as("faults that met no request").isZero();
    faulty.clearFaults();
    fixture.close();
  }

  @Test
  void aLostAnswerToAPublicationIsFoundOut() {
    faulty.next(Operation.PUT, BackendFault.loseAnswer());
    Event event = fixture.publish("t");

    assertThat(fixture.paths("events/")).hasSize(1);
    assertThat(ids(fixture.namespace().claim(TYPE))).containsExactly(event.id());
  }

  @Test
  void aPublicationThatTookTooLongIsMadeAgainUnderTheTimeOfNow() {
    Namespace running = fixture.other();
    fixture.publish("t");
    assertThat(running.claim(TYPE)).hasSize(1);
    faulty.next(
        Operation.PUT,
        BackendFault.runBefore(
            () -> {
              for (int i = 0; i < 10; i++) {
                fixture.pass(Duration.ofSeconds(10));
                running.claim(TYPE);
              }
            }));

    Event event = fixture.publish(NewEvent.of("t", "{}").withId("slow"));

    assertThat(event.createdAt()).isEqualTo(fixture.now());
    assertThat(fixture.paths("events/")).hasSize(3);
    assertThat(ids(running.claim(TYPE))).containsExactly("slow");
    assertThat(running.claim(TYPE)).isEmpty();
  }

  @Test
  void aLostAnswerToAClaimIsFoundOut() {
    Event event = fixture.publish("t");
    faulty.next(Operation.PUT, BackendFault.loseAnswer());

    Delivery delivery = only(fixture.namespace().claim(TYPE));

    assertThat(delivery.event()).isEqualTo(event);
    assertThat(delivery.ack().settled()).isTrue();
  }

  @Test
  void aLostAnswerToAnAckIsFoundOut() {
    Event event = fixture.publish("t");
    Delivery delivery = only(fixture.namespace().claim(TYPE));
    faulty.next(Operation.PUT, BackendFault.loseAnswer());

    assertThat(delivery.ack().settled()).isTrue();
    assertThat(fixture.json(claimPath(event.id(), "h")).path("ack_at").isTextual()).isTrue();
  }

  @Test
  void aLostAckAfterWhichSomebodyElseHasClaimedIsNone() {
    Event event = fixture.publish("t");
    Delivery delivery = only(fixture.namespace().claim(TYPE));
    Namespace other = fixture.other();
    fixture.pass(Duration.ofSeconds(31));
    faulty.next(Operation.PUT, BackendFault.loseRequest());
    faulty.next(
        Operation.HEAD, BackendFault.runBefore(() -> assertThat(other.claim(TYPE)).hasSize(1)));

    assertThat(delivery.ack()).isEqualTo(new Settlement.Superseded());
    assertThat(fixture.json(claimPath(event.id(), "h")).path("ack_at").isNull()).isTrue();
  }

  @Test
  void anAckThatArrivesAfterAReclaimHasNoEffect() {
    Event event = fixture.publish("t");
    Delivery delivery = only(fixture.namespace().claim(TYPE));
    Namespace other = fixture.other();
    fixture.pass(Duration.ofSeconds(31));
    faulty.next(Operation.PUT, BackendFault.arriveLate(100));
    faulty.next(
        Operation.HEAD, BackendFault.runBefore(() -> assertThat(other.claim(TYPE)).hasSize(1)));
    assertThat(delivery.ack()).isEqualTo(new Settlement.Superseded());

    faulty.deliverLateWrites();

    assertThat(fixture.json(claimPath(event.id(), "h")).path("ack_at").isNull()).isTrue();
  }

  @Test
  void anAckThatFailsCanBeMadeAgain() {
    fixture.publish("t");
    Delivery delivery = only(fixture.namespace().claim(TYPE));
    faulty.always(Operation.PUT, BackendFault.unavailable());
    assertThatThrownBy(delivery::ack).isInstanceOf(StoreUnavailableException.class);
    faulty.clearFaults();

    assertThat(delivery.ack().settled()).isTrue();
  }

  @Test
  void whatWasClaimedBeforeTheStoreFailedIsDelivered() {
    fixture.publish("t");
    Event second = fixture.publish("t");
    Namespace namespace = fixture.other();
    String key = PREFIX + claimPath(second.id(), "h");
    for (int i = 0; i < 3; i++) {
      faulty.next(Operation.PUT, key, BackendFault.unavailable());
    }

    List<Delivery> first = namespace.claim(TYPE);

    assertThat(first).hasSize(1);
    assertThat(ids(namespace.claim(TYPE))).containsExactly(second.id());
  }

  @Test
  void aStoreThatFailsAtOnceIsSaidSo() {
    fixture.publish("t");
    Namespace namespace = fixture.other();
    faulty.always(Operation.LIST, BackendFault.unavailable());
    assertThatThrownBy(() -> namespace.claim(TYPE)).isInstanceOf(StoreUnavailableException.class);
    faulty.clearFaults();
    faulty.always(Operation.GET, BackendFault.unavailable());
    assertThatThrownBy(() -> namespace.claim(TYPE)).isInstanceOf(StoreUnavailableException.class);
    faulty.clearFaults();
    faulty.always(Operation.PUT, BackendFault.unavailable());
    assertThatThrownBy(() -> namespace.claim(TYPE)).isInstanceOf(StoreUnavailableException.class);
    faulty.clearFaults();

    assertThat(namespace.claim(TYPE)).hasSize(1);
  }

  @Test
  void aDeathAfterGivingUpLeavesWhatTheNextCompletes() {
    Event event = fixture.publish("t");
    Delivery delivery = only(fixture.namespace().claim(TYPE));
    String letter = PREFIX + deadLetterPath(event.id(), "h");
    for (int i = 0; i < 3; i++) {
      faulty.next(Operation.PUT, letter, BackendFault.unavailable());
    }

    assertThat(delivery.deadLetter("no").settled()).as("the claim says so").isTrue();
    assertThat(fixture.paths("dead_letters/")).isEmpty();
    assertThat(fixture.stored("event.dead_letter")).isEmpty();

    assertThat(fixture.other().claim(TYPE)).isEmpty();
    assertThat(fixture.exists(deadLetterPath(event.id(), "h"))).isTrue();
    assertThat(fixture.stored("event.dead_letter")).hasSize(1);
  }

  @Test
  void whoGaveUpCompletesItItselfIfItLives() {
    Event event = fixture.publish("t");
    Delivery delivery = only(fixture.namespace().claim(TYPE));
    String letter = PREFIX + deadLetterPath(event.id(), "h");
    for (int i = 0; i < 3; i++) {
      faulty.next(Operation.PUT, letter, BackendFault.unavailable());
    }
    delivery.deadLetter("no");

    fixture.pass(Duration.ofSeconds(2));
    assertThat(fixture.namespace().claim(TYPE)).isEmpty();

    assertThat(fixture.exists(deadLetterPath(event.id(), "h"))).isTrue();
    assertThat(fixture.stored("event.dead_letter")).hasSize(1);
  }

  @Test
  void aDeathBetweenTheLetterAndItsTellingIsMadeGood() {
    Event event = fixture.publish("t");
    Delivery delivery = only(fixture.namespace().claim(TYPE));
    for (int i = 0; i < 3; i++) {
      faulty.next(
          (operation, key) -> operation == Operation.PUT && key.startsWith(PREFIX + "events/"),
          BackendFault.unavailable());
    }
    delivery.deadLetter("no");
    assertThat(fixture.exists(deadLetterPath(event.id(), "h"))).isTrue();
    assertThat(fixture.stored("event.dead_letter")).isEmpty();

    fixture.other().claim(TYPE);

    assertThat(fixture.stored("event.dead_letter")).hasSize(1);
  }

  @Test
  void f23_aReleaseThatCameTooLateLeavesNoDeadLetter() {
    Event event = fixture.publish("t");
    Namespace hasty = fixture.other(fixture.patience(1));
    Delivery delivery = only(hasty.claim(TYPE));
    fixture.pass(Duration.ofSeconds(31));
    only(fixture.other().claim(TYPE)).ack();

    assertThat(delivery.release("boom")).isEqualTo(new Settlement.Superseded());
    assertThat(fixture.paths("dead_letters/")).isEmpty();
    assertThat(fixture.namespace().inspect(event.id()).orElseThrow().status())
        .isEqualTo(EventStatus.ACKED);
  }

  @Test
  void aCursorThatCantBeWrittenIsNoMatter() {
    EventBus bus = fixture.bus();
    fixture.publish("t");
    only(bus.namespace("default").claim(TYPE)).ack();
    faulty.always(Operation.PUT, BackendFault.unavailable());
    bus.close();
    faulty.clearFaults();

    assertThat(fixture.other().claim(TYPE)).isEmpty();
  }

  @Test
  void twoProcessesOfAHandlerWriteOneCursor() {
    EventBus one = fixture.bus();
    EventBus other = fixture.bus();
    for (int i = 0; i < 4; i++) {
      fixture.publish("t");
    }
    ClaimRequest two = new ClaimRequest("h", EventTypeFilter.in("t"), 2, "s");
    one.namespace("default").claim(two).forEach(Delivery::ack);
    other.namespace("default").claim(two).forEach(Delivery::ack);
    one.close();
    other.close();

    assertThat(fixture.json("cursors/default/h.json").path("finished")).hasSize(4);
    assertThat(fixture.during(() -> fixture.other().claim(TYPE)).of(Operation.PUT)).isZero();
  }

  /** Whatever fails, each event is handled by each handler or is a dead letter. */
  @Test
  void withFaultsAtRandomNothingIsLost() {
    Seed seed = Seed.of("FaultsTest");
    RandomGenerator random = seed.random();
    for (int round = 0; round < (Boolean.getBoolean("soak") ? 500 : 20); round++) {
      MemoryBackend memory = new MemoryBackend();
      FaultyBackend wild =
          new FaultyBackend(
              memory, new SplittableRandom(random.nextLong()), FaultMix.everything(0.1));
      try (EventsFixture world = new EventsFixture(wild, FakeTime.retry(2));
          EventsFixture calm = new EventsFixture(memory)) {
        RandomWorkload work = new RandomWorkload(world, random);
        work.run(150);
        wild.deliverLateWrites();
        calm.pass(world.time().elapsed());

        work.drain(calm);
        Set<String> finished = RandomWorkload.finished(calm);
        String which = seed + ", round " + round;
        assertThat(finished).as(which).containsAll(work.owed());
        finished.removeAll(RandomWorkload.deadLetters(calm));
        assertThat(work.handled()).as(which).containsAll(finished);
      }
    }
  }
}
