// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.events.EventBus;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.BusOptions;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.NewEvent;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.testkit.objects.CountingBackend;
import io.tidemark.testkit.objects.FakeClock;
import io.tidemark.testkit.objects.FakeTime;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A store whose requests can be counted and made to fail, and whose time stands still. */
public final class RunnerFixture {
  public static final Instant START = Instant.parse("2026-03-02T10:00:00.5Z");
  public static final String NAMESPACE = "default";

  private final MemoryBackend objects;
  private final FakeClock clock = new FakeClock(START);
  private final FakeTime time = new FakeTime();
  private final FaultyBackend faulty;
  private final CountingBackend counting;
  private final BusOptions options;

  public RunnerFixture() {
    this(BusOptions.standard());
  }

  public RunnerFixture(BusOptions options) {
    this.objects = new MemoryBackend(clock);
    this.faulty = new FaultyBackend(objects);
    this.counting = new CountingBackend(faulty);
    this.options = options.withTime(time);
  }

  public FakeClock clock() {
    return clock;
  }

  public FaultyBackend faulty() {
    return faulty;
  }

  public CountingBackend counting() {
    return counting;
  }

  public BusOptions options() {
    return options;
  }

  /** Lets time pass, on the wall and otherwise. */
  public void pass(Duration duration) {
    clock.jump(duration);
    time.advance(duration);
  }

  /** The store as a process of its own sees it, which gives up after a single try. */
  public ObjectStore store() {
    return new ObjectStore(counting, FakeTime.retry(0));
  }

  /** The store as a process with another clock sees it. */
  public ObjectStore store(Clock other) {
    ObjectBackend skewed =
        new ForwardingBackend(counting) {
          @Override
          public Clock clock() {
            return other;
          }
        };
    return new ObjectStore(skewed, FakeTime.retry(0));
  }

  /** A bus as a process of its own has it. */
  public EventBus bus() {
    return EventBus.open(store(), "bus/", options);
  }

  /** A namespace of a process of its own. */
  public Namespace namespace() {
    return bus().namespace(NAMESPACE);
  }

  /** A runner in a process of its own. */
  public Runner runner(RunnerOptions how, HandlerRegistration... handlers) {
    return Runner.of(bus(), NAMESPACE, List.of(handlers), how);
  }

  /** A runner in a process of its own, with one thread so that the order is certain. */
  public Runner runner(HandlerRegistration... handlers) {
    return runner(RunnerOptions.standard().withThreads(1), handlers);
  }

  /** Publishes an event of this type with the number as its payload. */
  public Event publish(String type, int number) {
    return publish(NewEvent.of(type, "{\"number\":" + number + "}"));
  }

  public Event publish(NewEvent event) {
    clock.jump(Duration.ofMillis(1));
    return namespace().publish(event).event();
  }
}
