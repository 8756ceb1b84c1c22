// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

import io.tidemark.features.model.InvalidRequestException;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Options of the maintainer: its steps, and its interval when it works in the background. */
public final class MaintainOptions {

  /** A thousand years. */
  private static final long MOST_LOG_DAYS = 365_000;

  private static final Duration LONGEST = Duration.ofHours(12);
  private static final MaintainOptions DEFAULTS = new MaintainOptions(LONGEST, false, null);

  private final Duration every;
  private final boolean mergesMonths;
  private final @Nullable Long logDays;

  private MaintainOptions(Duration every, boolean mergesMonths, @Nullable Long logDays) {
    this.every = every;
    this.mergesMonths = mergesMonths;
    this.logDays = logDays;
  }

  /**
   * Returns the defaults: every 12 hours; days of the history stay as they are, and the log is kept
   * for ever.
   */
  public static MaintainOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns a copy with another interval; at most 12 hours, since partitions are made for two days.
   */
  public MaintainOptions every(Duration interval) {
    if (interval.compareTo(LONGEST) > 0 || interval.toMillis() < 1) {
      throw new InvalidRequestException(
          "the maintainer can't work every %s; give a millisecond to 12 hours".formatted(interval));
    }
    return new MaintainOptions(interval, mergesMonths, logDays);
  }

  /** Returns a copy with which days of the history older than 31 days are merged to months. */
  public MaintainOptions mergingMonths() {
    return new MaintainOptions(every, true, logDays);
  }

  /**
   * Returns a copy with which days of the log older than this number are dropped; 0 keeps today's.
   */
  public MaintainOptions keepingLogFor(long days) {
    if (days < 0 || days > MOST_LOG_DAYS) {
      throw new InvalidRequestException(
          "the log can't be kept for %d days; give 0 to %d".formatted(days, MOST_LOG_DAYS));
    }
    return new MaintainOptions(every, mergesMonths, days);
  }

  /** Returns the interval between runs. */
  public Duration every() {
    return every;
  }

  /** Returns whether old days are merged to months. */
  public boolean mergesMonths() {
    return mergesMonths;
  }

  /** Returns the number of days for which the log is kept; empty for all. */
  public OptionalLong logDays() {
    return logDays == null ? OptionalLong.empty() : OptionalLong.of(logDays);
  }
}
