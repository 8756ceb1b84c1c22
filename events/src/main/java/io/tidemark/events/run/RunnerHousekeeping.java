// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.events.EventBus;
import io.tidemark.events.Namespace;
import io.tidemark.events.schedule.ScheduledEventPublisher;
import io.tidemark.events.source.EventSource;
import io.tidemark.objects.TidemarkException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Housekeeping at the beginning of each iteration: sends a heartbeat, publishes scheduled events
 * and those of sources, and polls for new events. The next iteration retries what has failed. For
 * use by one thread at a time.
 */
final class RunnerHousekeeping {
  private static final Logger LOG = LoggerFactory.getLogger(RunnerHousekeeping.class);

  private final Namespace namespace;
  private final SessionHeartbeat sessionHeartbeat;
  private final ScheduledEventPublisher scheduledEventPublisher;
  private final List<EventSource> sources;

  RunnerHousekeeping(EventBus bus, Namespace namespace, RunnerOptions options) {
    this.namespace = namespace;
    this.sessionHeartbeat =
        new SessionHeartbeat(
            namespace.sessions(),
            options.sessionId(),
            options.heartbeatInterval(),
            bus.options().time());
    this.scheduledEventPublisher =
        new ScheduledEventPublisher(
            namespace, options.schedules(), bus.store().clock(), bus.options().overlap());
    this.sources = options.sources();
  }

  /** Does the housekeeping; returns whether there are more events to find than the poll read. */
  boolean run() {
    runSafely("say that it is alive", sessionHeartbeat::beatIfDue);
    runSafely("publish what is scheduled", scheduledEventPublisher::publishDue);
    for (EventSource source : sources) {
      runSafely(
          "publish news",
          () -> {
            int unused = source.poll();
          });
    }
    AtomicBoolean more = new AtomicBoolean();
    runSafely("look for events", () -> more.set(namespace.poll()));
    return more.get();
  }

  private void runSafely(String what, Runnable errand) {
    try {
      errand.run();
    } catch (TidemarkException e) {
      LOG.warn("a runner of {} can't {} at the moment: {}", namespace.name(), what, e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("a runner of {} can't {}", namespace.name(), what, e);
    }
  }
}
