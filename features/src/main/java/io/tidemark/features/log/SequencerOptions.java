// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.names.NameService;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Options of a sequencer.
 *
 * @param poll how often to search all of the log when no notification comes (a tenth as often while
 *     there are always transactions to number), to retry what failed, and to ask whether another
 *     sequencer has gone
 * @param pause how long to wait between rounds while there are transactions to number; commits in
 *     the meantime are numbered in one go
 * @param names the nameservice in which to move the heads of collections; null for none. The caller
 *     closes it
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

  /** Returns the defaults: polls every second, pauses for 10 milliseconds, and moves no names. */
  public static SequencerOptions defaults() {
    return DEFAULTS;
  }

  /** Returns a copy that moves heads in a nameservice. */
  public SequencerOptions publishingTo(NameService service) {
    return new SequencerOptions(poll, pause, service);
  }

  /** Returns a copy with another polling interval. */
  public SequencerOptions polling(Duration every) {
    return new SequencerOptions(every, pause, names);
  }
}
