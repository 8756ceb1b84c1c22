// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidemark.names.Concern;
import io.tidemark.names.NameService;
import io.tidemark.names.PushObserver;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.RequestObserver;
import io.tidemark.objects.lease.LeaseMetrics;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Metrics of one server. Labels have few values; a name is a label only where the number of names
 * is bounded.
 */
public final class Meters implements AutoCloseable {

  private static final Duration[] BOUNDS = {
    Duration.ofMillis(1),
    Duration.ofNanos(2_500_000),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofMillis(2500),
    Duration.ofSeconds(10)
  };

  /** Key of a meter: its name and labels, so that a request finds it with a single look-up. */
  private record Key(String name, String first, String second, String third) {}

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<Key, Timer> timers = new ConcurrentHashMap<>();
  private final Map<Key, Counter> counters = new ConcurrentHashMap<>();
  private final List<Runnable> observed = new CopyOnWriteArrayList<>();
  private final AtomicLong active = new AtomicLong();
  private final JvmGcMetrics collections = new JvmGcMetrics();

  public Meters() {
    Gauge.builder("tidemark.http.active", active, AtomicLong::get)
        .description("Requests that are being answered, streams among them")
        .register(registry);
    FunctionCounter.builder("tidemark.lease.takeovers", this, unused -> LeaseMetrics.takeovers())
        .description("Leases and locks that this process took from who had let them expire")
        .register(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    collections.bindTo(registry);
  }

  /** Counts a request that has begun. */
  public void begun() {
    active.incrementAndGet();
  }

  /** Counts a request that is over. */
  public void ended() {
    active.decrementAndGet();
  }

  /**
   * Records an answered request.
   *
   * @param route template of the route, never the path
   */
  public void answered(String method, String route, int status, long nanos) {
    timer(
            new Key("tidemark.http.requests", method, route, Integer.toString(status)),
            "Requests by route and status",
            "method",
            "route",
            "status")
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  /** Records the pushes to names, and the requests to the stores behind them. */
  public void observe(NameService names, Optional<ObjectStore> objects) {
    Set<ObjectStore> stores = Collections.newSetFromMap(new IdentityHashMap<>());
    names.objects().ifPresent(stores::add);
    objects.ifPresent(stores::add);
    observed.add(names.observe(this::pushed));
    observed.add(names.backend().store().observe(this::askedForNames));
    stores.forEach(store -> observed.add(store.observe(this::asked)));
  }

  private void pushed(Concern concern, PushObserver.Result result) {
    counter(
            new Key("tidemark.pushes", concern.text(), word(result), ""),
            "Pushes by concern and result",
            "concern",
            "result")
        .increment();
  }

  private void asked(RequestObserver.Kind kind, RequestObserver.Result result, long nanos) {
    timer(
            new Key("tidemark.store.requests", word(kind), word(result), ""),
            "Requests to the object store by kind and result",
            "kind",
            "result")
        .record(nanos, TimeUnit.NANOSECONDS);
    if (kind == RequestObserver.Kind.PUT && result == RequestObserver.Result.LOST) {
      counter(
              new Key("tidemark.cas.retries", "", "", ""),
              "Conditional writes of objects that another was faster with")
          .increment();
    }
  }

  private void askedForNames(String operation, RequestObserver.Result result, long nanos) {
    timer(
            new Key("tidemark.names.requests", operation, word(result), ""),
            "Requests to the database of names by operation and result",
            "operation",
            "result")
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Records a query that has ended.
   *
   * @param kind such as {@code query} or {@code sql}
   * @param result {@code ok}, {@code refused} for a mistake of the caller, or {@code failed}
   */
  public void queried(String kind, String result, long nanos) {
    timer(
            new Key("tidemark.queries", kind, result, ""),
            "Queries by kind and result",
            "kind",
            "result")
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  /** Increments a counter. */
  public void count(String name, String description) {
    counter(new Key(name, "", "", ""), description).increment();
  }

  /** Registers a gauge whose value is read at each scrape. */
  public void gauge(String name, String description, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).strongReference(true).register(registry);
  }

  /** Returns a gauge by one label, with a bounded number of values at a time. */
  public MultiGauge gauges(String name, String description) {
    return MultiGauge.builder(name).description(description).register(registry);
  }

  /** Returns all metrics in the text format of Prometheus. */
  public String scrape() {
    return registry.scrape();
  }

  private Timer timer(Key key, String description, String... labels) {
    return timers.computeIfAbsent(
        key,
        k ->
            Timer.builder(k.name())
                .description(description)
                .tags(tags(k, labels))
                .serviceLevelObjectives(BOUNDS)
                .register(registry));
  }

  private Counter counter(Key key, String description, String... labels) {
    return counters.computeIfAbsent(
        key,
        k ->
            Counter.builder(k.name())
                .description(description)
                .tags(tags(k, labels))
                .register(registry));
  }

  private static Tags tags(Key key, String... labels) {
    String[] values = {key.first(), key.second(), key.third()};
    Tags tags = Tags.empty();
    for (int i = 0; i < labels.length; i++) {
      tags = tags.and(labels[i], values[i]);
    }
    return tags;
  }

  @Override
  public void close() {
    observed.forEach(Runnable::run);
    collections.close();
    registry.close();
  }
}
