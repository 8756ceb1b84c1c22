// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.schedule;

import io.tidemark.events.Namespace;
import io.tidemark.events.model.InvalidEventPayloadException;
import io.tidemark.events.model.NewEvent;
import io.tidemark.events.model.Publication;
import io.tidemark.objects.TidemarkException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publisher of scheduled events that are due.
 *
 * <p>Each run looks at the minutes of the last {@code overlap}, whatever was published before. So
 * it makes up for minutes in which no runner ran, and a clock that is set back or forward makes no
 * difference. Older times are left out. Since the id of an event is derived from its time, any
 * number of publishers, and a publisher that looks at a minute again, publish one event. Published
 * ids are remembered only to save requests.
 *
 * <p>For use by one thread at a time.
 */
public final class ScheduledEventPublisher {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduledEventPublisher.class);

  private static final int MOST_OWED = 1_000;

  private final Namespace namespace;
  private final List<Schedule> schedules;
  private final Clock clock;
  private final Duration overlap;

  /** Ids of published events, with the time of each. */
  private final Map<String, Instant> published = new HashMap<>();

  /** Due events that couldn't be published, by id; they are retried without limit. */
  private final Map<String, DueEvent> owed = new LinkedHashMap<>();

  private record DueEvent(NewEvent event, Instant minute) {}

  private Optional<Instant> lookedAt = Optional.empty();

  /**
   * Creates a publisher.
   *
   * @param overlap how far back missed events are published
   */
  public ScheduledEventPublisher(
      Namespace namespace, List<Schedule> schedules, Clock clock, Duration overlap) {
    this.namespace = namespace;
    this.schedules = List.copyOf(schedules);
    this.clock = clock;
    this.overlap = overlap;
  }

  /** Publishes the events that are due; the next run retries those that fail. */
  public void publishDue() {
    Instant now = clock.instant();
    Instant from = now.minus(overlap);
    List.copyOf(owed.values()).forEach(each -> publish(each.event(), each.minute()));
    for (Schedule schedule : schedules) {
      lookedAt.ifPresent(before -> logSkipped(schedule, before, from));
      for (Instant minute = firstMinute(from);
          !minute.isAfter(now);
          minute = minute.plus(1, ChronoUnit.MINUTES)) {
        if (schedule.cron().matches(minute)) {
          publishOnce(schedule.at(namespace.name(), minute), minute);
        }
      }
    }
    published.values().removeIf(time -> time.isBefore(from.minus(overlap)));
    lookedAt = Optional.of(now);
  }

  private static Instant firstMinute(Instant from) {
    Instant minute = from.truncatedTo(ChronoUnit.MINUTES);
    return minute.isBefore(from) ? minute.plus(1, ChronoUnit.MINUTES) : minute;
  }

  private void publishOnce(NewEvent event, Instant minute) {
    String id = event.id().orElseThrow();
    if (!published.containsKey(id) && !owed.containsKey(id)) {
      publish(event, minute);
    }
  }

  private void publish(NewEvent event, Instant minute) {
    String id = event.id().orElseThrow();
    try {
      Publication unused = namespace.publish(event);
      published.put(id, minute);
      owed.remove(id);
    } catch (TidemarkException e) {
      if (owed.size() < MOST_OWED && !(e instanceof InvalidEventPayloadException)) {
        owed.put(id, new DueEvent(event, minute));
      }
      LOG.warn("{} of {} isn't published yet: {}", event.type(), minute, e.getMessage());
    }
  }

  private static void logSkipped(Schedule schedule, Instant before, Instant from) {
    if (before.isBefore(from)) {
      schedule
          .cron()
          .next(before)
          .filter(first -> first.isBefore(from))
          .ifPresent(
              first ->
                  LOG.warn(
                      "{} ({}) is left out from {} until {}, as that is too long ago",
                      schedule.type(),
                      schedule.cron(),
                      first,
                      from));
    }
  }
}
