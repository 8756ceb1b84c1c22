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
 * How a runner works.
 *
 * @param sessionId under which it is known; new for each run
 * @param threads how many events it handles at once, all handlers taken together
 * @param pollInterval how long it waits before it looks for new events when there are none
 * @param heartbeatInterval how often it says that it is alive
 * @param claimLimit how many events a handler gets before it looks for new ones, which may be more
 *     urgent, and before handlers of less priority get a turn
 * @param maxEventsPerIteration how many events all handlers together get before that
 * @param grace how long a handler may go on when the runner is closed, until it is interrupted
 * @param schedules when to publish events; the same in every process
 * @param sources what is looked at in every iteration for news that become events. Each costs what
 *     its own look costs, also when there is nothing to do; the caller closes it, after the runner
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
