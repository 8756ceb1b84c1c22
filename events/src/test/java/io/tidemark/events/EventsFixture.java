// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.BusOptions;
import io.tidemark.events.model.BusOptions.Retries;
import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.NewEvent;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.objects.CountingBackend;
import io.tidemark.testkit.objects.FakeClock;
import io.tidemark.testkit.objects.FakeTime;
import io.tidemark.testkit.objects.ForwardingBackend;
import io.tidemark.testkit.objects.RequestCounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The store that one test has its bus in, the time it is, and what is done behind its back. */
final class EventsFixture implements AutoCloseable {

  static final String PREFIX = "bus/";
  static final String NS = "default";

  private final FakeClock clock = new FakeClock(Instant.now().truncatedTo(ChronoUnit.MICROS));
  private final FakeTime time = new FakeTime();
  private final CountingBackend counting;
  private final ObjectStore store;
  private final List<EventBus> opened = new ArrayList<>();
  private final Namespace namespace;

  /** A store that shows the time of the test. */
  private static final class Timed extends ForwardingBackend {
    private final Clock clock;

    Timed(ObjectBackend wrapped, Clock clock) {
      super(wrapped);
      this.clock = clock;
    }

    @Override
    public Clock clock() {
      return clock;
    }
  }

  EventsFixture(ObjectBackend backend) {
    this(backend, Retry.standard());
  }

  EventsFixture(ObjectBackend backend, Retry retry) {
    this.counting = new CountingBackend(new Timed(backend, clock));
    this.store = new ObjectStore(counting, retry);
    this.namespace = bus().namespace(NS);
  }

  FakeClock clock() {
    return clock;
  }

  FakeTime time() {
    return time;
  }

  ObjectStore store() {
    return store;
  }

  Instant now() {
    return clock.instant();
  }

  BusOptions options() {
    return BusOptions.standard().withTime(time);
  }

  /** What gives up so soon. */
  BusOptions patience(int maxAttempts) {
    return options()
        .withRetries(new Retries(maxAttempts, Duration.ofMillis(250), Duration.ofSeconds(30)));
  }

  /** A bus as another process opens it. */
  EventBus bus() {
    return bus(options());
  }

  EventBus bus(BusOptions options) {
    EventBus bus = EventBus.open(store, PREFIX, options);
    opened.add(bus);
    return bus;
  }

  /** The namespace of a bus that is always the same. */
  Namespace namespace() {
    return namespace;
  }

  /** The namespace as another process sees it. */
  Namespace other() {
    return bus().namespace(NS);
  }

  Namespace other(BusOptions options) {
    return bus(options).namespace(NS);
  }

  /** Lets time pass, by all clocks. */
  void pass(Duration duration) {
    clock.jump(duration);
    time.advance(duration);
  }

  RequestCounts during(Runnable work) {
    return counting.during(work);
  }

  Event publish(String type) {
    return publish(NewEvent.of(type, "{}"));
  }

  Event publish(NewEvent event) {
    return namespace.publish(event).event();
  }

  /** Publishes so many. */
  List<Event> publishAll(int count) {
    return Stream.generate(() -> publish("order.created")).limit(count).toList();
  }

  static ClaimRequest all(String handler, int limit) {
    return new ClaimRequest(handler, EventTypeFilter.all(), limit, "session-" + handler);
  }

  static List<String> ids(List<Delivery> deliveries) {
    return deliveries.stream().map(delivery -> delivery.event().id()).toList();
  }

  /** The one event that there is for a handler. */
  Delivery claimOne(String handler) {
    return only(namespace.claim(all(handler, 10)));
  }

  static <T> T only(List<T> list) {
    if (list.size() != 1) {
      throw new AssertionError("one was expected of " + list);
    }
    return list.get(0);
  }

  static String claimPath(String eventId, String handler) {
    return "claims/" + NS + "/" + eventId + "/" + handler + ".json";
  }

  static String deadLetterPath(String eventId, String handler) {
    return "dead_letters/" + NS + "/" + eventId + "/" + handler + ".json";
  }

  /** Where an event is. */
  String eventPath(String id) {
    return only(paths("events/" + NS).stream().filter(path -> path.contains("_" + id)).toList());
  }

  List<String> paths(String under) {
    try (Stream<ObjectInfo> found = store.list(PREFIX + under)) {
      return found.map(info -> info.key().substring(PREFIX.length())).toList();
    }
  }

  boolean exists(String path) {
    return store.head(PREFIX + path).isPresent();
  }

  ObjectNode json(String path) {
    try {
      return (ObjectNode) CanonicalJson.parse(store.get(PREFIX + path).orElseThrow().bytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void write(String path, String text) {
    store.put(PREFIX + path, Body.of(text), Condition.none());
  }

  void delete(String path) {
    store.delete(PREFIX + path);
  }

  /** Events of a type that are stored, by path, copies too. */
  List<String> stored(String type) {
    return namespace.list(Integer.MAX_VALUE).stream()
        .flatMap(line -> line.event().stream())
        .filter(event -> event.type().equals(type))
        .flatMap(event -> paths("events/" + NS + "/").stream().filter(p -> p.contains(event.id())))
        .toList();
  }

  @Override
  public void close() {
    opened.forEach(EventBus::close);
    store.close();
  }
}
