// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.Inspection;
import io.tidemark.events.model.ListedEvent;
import io.tidemark.events.model.NewEvent;
import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Processes that publish and handle events as chance has it: they succeed, fail, forget what they
 * have, die, and are told of failures of their store, which they take as they come.
 */
final class RandomWorkload {

  private static final List<String> HANDLERS = List.of("one", "two");
  private static final EventTypeFilter WANTED = EventTypeFilter.in("t");

  private final EventsFixture world;
  private final RandomGenerator random;
  private final List<EventBus> processes = new ArrayList<>();
  private final List<Delivery> held = new ArrayList<>();
  private final Set<String> owed = new HashSet<>();
  private final Set<String> handled = new HashSet<>();

  RandomWorkload(EventsFixture world, RandomGenerator random) {
    this.world = world;
    this.random = random;
    for (int i = 0; i < 3; i++) {
      processes.add(world.bus());
    }
  }

  /** What was published and not refused, for each handler. */
  Set<String> owed() {
    return owed;
  }

  /** What somebody wanted to acknowledge, and may have. */
  Set<String> handled() {
    return handled;
  }

  void run(int steps) {
    for (int i = 0; i < steps; i++) {
      try {
        step();
      } catch (TidemarkException e) {
        // It is as if the process had gone on to something else.
      }
    }
  }

  private void step() {
    int process = random.nextInt(processes.size());
    Namespace namespace = processes.get(process).namespace(EventsFixture.NS);
    switch (random.nextInt(8)) {
      case 0, 1 -> publish(namespace);
      case 2, 3, 4 -> {
        String handler = HANDLERS.get(random.nextInt(HANDLERS.size()));
        held.addAll(
            namespace.claim(
                new ClaimRequest(handler, WANTED, 1 + random.nextInt(5), "session-" + process)));
        settleSome();
      }
      case 5 -> settleSome();
      case 6 -> world.pass(Duration.ofMillis(random.nextInt(20_000)));
      default -> {
        if (random.nextInt(4) == 0) {
          processes.set(process, world.bus()); // the old one is dead
        }
      }
    }
  }

  private void publish(Namespace namespace) {
    Event event = namespace.publish(NewEvent.of("t", "{}").withPriority(random.nextInt(3))).event();
    HANDLERS.forEach(handler -> owed.add(event.id() + " " + handler));
  }

  private void settleSome() {
    for (int i = held.size() - 1; i >= 0; i--) {
      Delivery delivery = held.get(i);
      switch (random.nextInt(6)) {
        case 0, 1, 2 -> {
          handled.add(delivery.event().id() + " " + delivery.handlerId());
          delivery.ack();
        }
        case 3 -> delivery.release("chance");
        case 4 -> delivery.renew();
        default -> {
          // It is forgotten, or settled some other time.
        }
      }
      held.remove(i);
    }
  }

  /** Finishes what there is, in a world without faults, until nothing waits. */
  void drain(EventsFixture calm) {
    for (String handler : HANDLERS) {
      Namespace namespace = calm.other();
      ClaimRequest request = new ClaimRequest(handler, WANTED, 100, "drain");
      do {
        calm.pass(Duration.ofSeconds(31));
        for (Delivery delivery : namespace.claim(request)) {
          handled.add(delivery.event().id() + " " + handler);
          delivery.ack();
        }
      } while (!namespace.backlog(handler).isEmpty());
    }
  }

  /** What is acknowledged, or given up with a dead letter, as the store has it. */
  static Set<String> finished(EventsFixture calm) {
    Set<String> finished = new HashSet<>();
    for (ListedEvent line : calm.namespace().list(Integer.MAX_VALUE)) {
      Inspection seen = calm.namespace().inspect(line.id()).orElseThrow();
      seen.claims().stream()
          .filter(claim -> claim.ackAt().isPresent())
          .forEach(claim -> finished.add(line.id() + " " + claim.handlerId()));
      seen.deadLetters().forEach(letter -> finished.add(line.id() + " " + letter.handlerId()));
    }
    return finished;
  }

  /** What was given up. */
  static Set<String> deadLetters(EventsFixture calm) {
    Set<String> letters = new HashSet<>();
    calm.namespace()
        .deadLetters(Integer.MAX_VALUE)
        .forEach(letter -> letters.add(letter.eventId() + " " + letter.handlerId()));
    return letters;
  }
}
