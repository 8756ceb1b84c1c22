// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.events.model.NameValidator;
import io.tidemark.events.schedule.Schedule;
import io.tidemark.events.source.EventSource;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * Options of a runner.
 *
 * @param sessionId session of the runner; new for each run
 * @param threads maximum number of events handled at once, over all handlers
 * @param pollInterval time between polls for new events when there are none
 * @param heartbeatInterval time between heartbeats
 * @param claimLimit maximum number of events of a handler between two polls. A poll may find more
 *     urgent events, and handlers of less priority get a turn
 * @param maxEventsPerIteration maximum number of events of all handlers between two polls
 * @param grace time that a handler may go on when the runner is closed, until it is interrupted
 * @param schedules schedules of events; the same in every process
 * @param sources sources polled in every iteration for changes that become events. Each costs its
 *     own poll, also when there is nothing to do; the caller closes it, after the runner
 */
@RecordBuilder
public record RunnerOptions(
    String sessionId,
    int threads,
    Duration pollInterval,
    Duration heartbeatInterval,
    int claimLimit,
    int maxEventsPerIteration,
    Duration grace,
    List<Schedule> schedules,
    List<EventSource> sources)
    implements RunnerOptionsBuilder.With {

  public RunnerOptions {
    NameValidator.session(sessionId);
    schedules = List.copyOf(schedules);
    sources = List.copyOf(sources);
    if (threads < 1 || claimLimit < 1 || maxEventsPerIteration < 1) {
      throw new IllegalArgumentException(
          "a runner with %d threads, a claim limit of %d and %d events an iteration; allow 1 each"
              .formatted(threads, claimLimit, maxEventsPerIteration));
    }
  }

  public static RunnerOptions standard() {
    return new RunnerOptions(
        UUID.randomUUID().toString(),
        8,
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        100,
        1_000,
        Duration.ofSeconds(30),
        List.of(),
        List.of());
  }
}
