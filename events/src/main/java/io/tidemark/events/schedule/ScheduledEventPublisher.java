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
 * Publishes scheduled events whose time has come (F28).
 *
 * <p>It looks at the minutes that lie behind the present by no more than nothing new can appear
 * behind it, whatever it has done before: so it makes up for what was missed while nobody ran, and
 * a clock that is set back or forth makes no difference. Times that are longer ago are left out.
 * Since the id of an event follows from its time, any number of timetables, and one that looks at a
 * minute for a second time, publish one event. It remembers what it has published in order not to
 * ask again.
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

  /** Ids of what was published, with the time of each. */
  private final Map<String, Instant> published = new HashMap<>();

  /** What was due and couldn't be published, by id; it is tried again however long that takes. */
  private final Map<String, DueEvent> owed = new LinkedHashMap<>();

  private record DueEvent(NewEvent event, Instant minute) {}

  private Optional<Instant> lookedAt = Optional.empty();

  /**
   * A timetable.
   *
   * @param overlap for how long to make up for what was missed
   */
  public ScheduledEventPublisher(
      Namespace namespace, List<Schedule> schedules, Clock clock, Duration overlap) {
    this.namespace = namespace;
    this.schedules = List.copyOf(schedules);
    this.clock = clock;
    this.overlap = overlap;
  }

  /** Publishes what is due; when that fails it is tried again the next time. */
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
