// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.names.NameService;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a sequencer works.
 *
 * @param poll how often to look at all of the log when nobody wakes it (a tenth as often while
 *     there is always something to number), to try again what failed, and to ask whether another
 *     sequencer has gone
 * @param pause how long to wait between rounds while there is something to number; what commits
 *     meanwhile is numbered in one go
 * @param names where to move the heads of collections; null for nowhere. The caller closes it
 */
public record SequencerOptions(Duration poll, Duration pause, @Nullable NameService names) {

  private static final SequencerOptions DEFAULTS =
      new SequencerOptions(Duration.ofSeconds(1), Duration.ofMillis(10), null);

  public SequencerOptions {
    if (poll.toMillis() < 1 || pause.isNegative()) {
      throw new InvalidRequestException(
          "a sequencer can't look every %s and pause for %s; give at least a millisecond and none"
              .formatted(poll, pause));
    }
  }

  /** Looks every second, pauses for 10 milliseconds, and moves no names. */
  public static SequencerOptions defaults() {
    return DEFAULTS;
  }

  /** The same with heads in a nameservice. */
  public SequencerOptions publishingTo(NameService service) {
    return new SequencerOptions(poll, pause, service);
  }

  /** The same with another time between looks. */
  public SequencerOptions polling(Duration every) {
    return new SequencerOptions(every, pause, names);
  }
}
