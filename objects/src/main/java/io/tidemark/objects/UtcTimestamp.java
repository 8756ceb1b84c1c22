// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/**
 * Format of timestamps in stored JSON: {@code 2026-02-10T12:34:56.789012+00:00}, always in UTC with
 * that offset, six digits of a second or, when they are all zero, none.
 */
public final class UtcTimestamp {

  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private UtcTimestamp() {}

  /** Writes a moment, cut to the microsecond. */
  public static String format(Instant moment) {
    boolean wholeSecond = moment.get(ChronoField.MICRO_OF_SECOND) == 0;
    return (wholeSecond ? SECONDS : MICROS).format(moment.truncatedTo(ChronoUnit.MICROS))
        + "+00:00";
  }

  /**
   * Reads a moment in this form or any other of ISO 8601; one without an offset is taken as UTC.
   *
   * @return empty when the text is no moment
   */
  public static Optional<Instant> parse(String text) {
    try {
      return Optional.of(
          DateTimeFormatter.ISO_DATE_TIME.parseBest(text, OffsetDateTime::from, LocalDateTime::from)
                  instanceof OffsetDateTime withOffset
              ? withOffset.toInstant()
              : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
