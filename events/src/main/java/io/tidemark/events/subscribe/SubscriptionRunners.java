// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.subscribe;

import io.tidemark.events.EventBus;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.run.HandlerRegistration;
import io.tidemark.events.run.Runner;
import io.tidemark.events.run.RunnerOptions;
import io.tidemark.events.source.EventSource;
import io.tidemark.events.source.NameChangeEventSource;
import io.tidemark.events.source.StartPosition;
import io.tidemark.events.webhook.WebhookOptions;
import io.tidemark.names.watch.NameFeed;
import io.tidemark.names.watch.WatchFilter;
import io.tidemark.objects.ETag;
import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runners of the stored webhooks and schedules of all namespaces of a bus. Any number of processes
 * share the work; another process, or the next start, continues what one has left.
 *
 * <p>A thread polls for changes, at one request a poll. The runner of a namespace whose document
 * has changed is replaced. It publishes the changes of names too, if a webhook asks for them.
 */
public final class SubscriptionRunners implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SubscriptionRunners.class);

  /** Name of the nameservice in events. */
  private static final String NAMES = "names";

  private final EventBus bus;
  private final NameFeed names;
  private final SubscriptionStore store;
  private final WebhookOptions options;
  private final Duration interval;
  private final Map<String, Running> running = new HashMap<>(); // used by the thread alone
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread = new Thread(this::loop, "event-subscriptions");

  /** Runner of a namespace with the sources that it publishes from. */
  private record Running(ETag version, Runner runner, List<EventSource> sources) {
    void close() {
      runner.close();
      sources.forEach(EventSource::close);
    }
  }

  private SubscriptionRunners(
      EventBus bus, NameFeed names, WebhookOptions options, Duration interval) {
    this.bus = bus;
    this.names = names;
    this.store = new SubscriptionStore(bus.store(), bus.prefix());
    this.options = options;
    this.interval = interval;
    thread.setDaemon(true);
  }

  /**
   * Starts the stored webhooks and schedules.
   *
   * @param bus bus of the subscriptions; the caller closes it, after these
   * @param names nameservice whose changes are published to namespaces that subscribe to them; the
   *     caller closes it, after these
   * @param interval time between two polls for changes
   */
  public static SubscriptionRunners start(
      EventBus bus, NameFeed names, WebhookOptions options, Duration interval) {
    SubscriptionRunners runners = new SubscriptionRunners(bus, names, options, interval);
    runners.thread.start();
    return runners;
  }

  private void loop() {
    try {
      do {
        look();
      } while (!stopped.await(interval.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the process ends
    } finally {
      running.values().forEach(each -> each.runner().stop());
      running.values().forEach(Running::close);
    }
  }

  private void look() {
    try {
      Map<String, ETag> versions = store.versions();
      List.copyOf(running.keySet()).stream()
          .filter(namespace -> !versions.containsKey(namespace))
          .forEach(this::end);
      versions.forEach(this::run);
    } catch (TidemarkException e) {
      LOG.warn("subscriptions of events can't be read at the moment: {}", e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("subscriptions of events can't be run", e);
    }
  }

  private void end(String namespace) {
    Running before = running.remove(namespace);
    if (before != null) {
      before.close();
    }
  }

  private void run(String namespace, ETag version) {
    Running before = running.get(namespace);
    if (before != null && before.version().equals(version)) {
      return;
    }
    Subscriptions found = store.read(namespace);
    end(namespace);
    List<EventSource> sources = sources(namespace, found);
    Runner runner =
        Runner.of(
            bus,
            namespace,
            handlers(found),
            RunnerOptions.standard()
                .withSchedules(found.schedules().stream().map(NamedSchedule::schedule).toList())
                .withSources(sources));
    running.put(namespace, new Running(version, runner, sources));
    runner.start();
    LOG.info("running {} of the events of {}", found, namespace);
  }

  /**
   * Returns the sources of a namespace: changes of names, if a webhook asks for their types by
   * name.
   */
  private List<EventSource> sources(String namespace, Subscriptions found) {
    boolean asked =
        found.webhooks().stream()
            .flatMap(each -> each.types().stream())
            .anyMatch(NameChangeEventSource::publishes);
    return asked
        ? List.of(
            new NameChangeEventSource(
                bus,
                bus.namespace(namespace),
                names,
                new NameChangeEventSource.FollowedNames(NAMES, WatchFilter.all()),
                StartPosition.NEWEST))
        : List.of();
  }

  /** Returns the webhooks that may be called; one whose host is refused doesn't stop the others. */
  private List<HandlerRegistration> handlers(Subscriptions found) {
    List<HandlerRegistration> handlers = new ArrayList<>();
    for (Subscription each : found.webhooks()) {
      EventTypeFilter eventTypeFilter =
          each.types().isEmpty()
              ? EventTypeFilter.all()
              : EventTypeFilter.in(each.types().toArray(String[]::new));
      try {
        handlers.add(
            HandlerRegistration.of(each.handler(), eventTypeFilter, each.webhook(options)));
      } catch (TidemarkException e) {
        LOG.warn("the webhook {} isn't called: {}", each, e.getMessage());
      }
    }
    return handlers;
  }

  /** Ends all runners, after the deliveries that are under way. */
  @Override
  public void close() {
    stopped.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
