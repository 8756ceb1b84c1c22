// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.schedule;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Cron schedule in UTC: minute, hour, day of the month, month and day of the week, on which Sunday
 * is 0 or 7. When both days are restricted, one of them is enough.
 */
public final class Cron {
  private static final int LONGEST = 200;

  private final String text;
  private final ExecutionTime time;

  private Cron(String text, ExecutionTime time) {
    this.text = text;
    this.time = time;
  }

  /**
   * Parses five fields.
   *
   * @throws InvalidCronException when the text isn't a valid schedule
   */
  public static Cron parse(String text) {
    if (text.length() > LONGEST) {
      throw new InvalidCronException(
          "a schedule of " + text.length() + " characters; " + LONGEST + " are allowed");
    }
    try {
      CronParser parser =
          new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
      return new Cron(text, ExecutionTime.forCron(parser.parse(text).validate()));
    } catch (IllegalArgumentException e) {
      throw new InvalidCronException(
          "\"%s\" is no schedule (%s); give five fields, such as \"30 4 * * 1-5\""
              .formatted(text, e.getMessage()));
    }
  }

  /** Returns whether the schedule fires in the minute that begins at this moment. */
  public boolean matches(Instant minute) {
    return time.isMatch(utc(minute.truncatedTo(ChronoUnit.MINUTES)));
  }

  /** Returns the next time after a moment; empty when there is none. */
  public Optional<Instant> next(Instant after) {
    return time.nextExecution(utc(after)).map(ZonedDateTime::toInstant);
  }

  private static ZonedDateTime utc(Instant moment) {
    return moment.atZone(ZoneOffset.UTC);
  }

  /** Returns the text that was parsed. */
  @Override
  public String toString() {
    return text;
  }
}
