// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import static io.tidemark.events.EventsFixture.NS;
import static io.tidemark.events.EventsFixture.all;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.events.model.Event;
import io.tidemark.events.model.NewEvent;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Clocks that differ as far as they may, and publications that take as long as they may: whoever
 * looks only where new events can be finds all of them.
 */
class ClockSkewTest {

  private static final int MAX_SKEW_MILLIS = 30_000;

  private final Seed seed = Seed.of("ClockSkewTest");
  private final RandomGenerator random = seed.random();

  /** A machine with a clock of its own. */
  private final class Machine implements AutoCloseable {
    private final FaultyBackend faulty;
    private final EventsFixture fixture;
    private EventBus bus;

    Machine(MemoryBackend memory) {
      faulty = new FaultyBackend(memory);
      fixture = new EventsFixture(faulty);
      fixture.clock().jump(Duration.ofMillis(random.nextInt(MAX_SKEW_MILLIS)));
      bus = fixture.bus();
    }

    void handle(Set<String> handled) {
      for (Delivery delivery : bus.namespace(NS).claim(all("h", 100))) {
        if (delivery.ack().settled()) {
          handled.add(delivery.event().id());
        }
      }
    }

    /** Begins anew, after an orderly end or without. */
    void restart() {
      if (random.nextBoolean()) {
        bus.close();
      }
      bus = fixture.bus();
    }

    @Override
    public void close() {
      fixture.close();
    }
  }

  @Test
  void nothingIsOverlooked() {
    for (int round = 0; round < (Boolean.getBoolean("soak") ? 1_000 : 20); round++) {
      MemoryBackend memory = new MemoryBackend();
      List<Machine> machines = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        machines.add(new Machine(memory));
      }
      Set<String> published = new HashSet<>();
      Set<String> handled = new HashSet<>();
      for (int i = 0; i < 100; i++) {
        step(machines, published, handled);
      }
      for (int i = 0; i < 3; i++) {
        pass(machines, Duration.ofSeconds(61));
        machines.subList(2, 4).forEach(machine -> machine.handle(handled));
      }

      assertThat(handled).as(seed + ", round " + round).containsAll(published);
      machines.forEach(Machine::close);
    }
  }

  private void step(List<Machine> machines, Set<String> published, Set<String> handled) {
    Machine publisher = machines.get(random.nextInt(2));
    Machine consumer = machines.get(2 + random.nextInt(2));
    switch (random.nextInt(10)) {
      case 0 -> consumer.restart();
      case 1, 2, 3 -> pass(machines, Duration.ofMillis(random.nextInt(20_000)));
      case 4, 5 -> consumer.handle(handled);
      default -> {
        if (random.nextBoolean()) {
          publisher.faulty.next(
              Operation.PUT, BackendFault.runBefore(() -> delay(machines, handled)));
        }
        Event event = publisher.bus.namespace(NS).publish(NewEvent.of("t", "{}")).event();
        published.add(event.id());
      }
    }
  }

  /** Others go on while a publication is under way; now and then it takes too long. */
  private void delay(List<Machine> machines, Set<String> handled) {
    int left = random.nextInt(MAX_SKEW_MILLIS * 5 / 4);
    while (left > 0) {
      int some = 1 + random.nextInt(left);
      pass(machines, Duration.ofMillis(some));
      machines.get(2 + random.nextInt(2)).handle(handled);
      left -= some;
    }
  }

  private static void pass(List<Machine> machines, Duration duration) {
    machines.forEach(machine -> machine.fixture.pass(duration));
  }
}
