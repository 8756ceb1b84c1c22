// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.time;

import java.io.PrintWriter;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Time expression of a command line, resolved against a clock and a zone:
 *
 * <ul>
 *   <li>a time with its offset, {@code 2026-11-18T14:30:00Z}, which is exact;
 *   <li>a local time or day, {@code 2026-11-18 14:30} or {@code 2026-11-18};
 *   <li>a word, {@code now}, {@code today} or {@code yesterday}, the last two also with a time;
 *   <li>an age, {@code 2 hours ago} or {@code 7d}.
 * </ul>
 *
 * <p>A day without a time means its beginning.
 */
public final class TimeExpression {

  /** Examples of all forms, for messages and help. */
  public static final String EXAMPLES =
      "2026-11-18T14:30:00Z, \"2026-11-18 14:30\", 2026-11-18, yesterday or \"2 hours ago\"";

  private static final Pattern DAY =
      Pattern.compile("(now)|(today|yesterday)(?: +([0-9]{2}:[0-9]{2}(?::[0-9]{2})?))?");

  private static final Pattern AGO =
      Pattern.compile("([0-9]{1,6}|an?) +(second|minute|hour|day|week|month|year)s? +ago");

  private static final Pattern SHORT_AGE = Pattern.compile("([0-9]{1,9})([smhdw])(?: +ago)?");

  private final String text;
  private final boolean exact;
  private final Function<ZonedDateTime, ZonedDateTime> meaning;

  private TimeExpression(
      String text, boolean exact, Function<ZonedDateTime, ZonedDateTime> meaning) {
    this.text = text;
    this.exact = exact;
    this.meaning = meaning;
  }

  /** Parses a time expression; empty when the text has none of the forms. */
  public static Optional<TimeExpression> parse(String text) {
    String plain = text.strip().toLowerCase(Locale.ROOT);
    return absolute(text, plain).or(() -> day(text, plain)).or(() -> ago(text, plain));
  }

  private static Optional<TimeExpression> absolute(String text, String plain) {
    String iso = plain.replaceFirst("^([0-9-]{10}) +", "$1t").toUpperCase(Locale.ROOT);
    try {
      TemporalAccessor found =
          iso.indexOf('T') < 0
              ? LocalDate.parse(iso)
              : DateTimeFormatter.ISO_DATE_TIME.parseBest(
                  iso, OffsetDateTime::from, LocalDateTime::from);
      if (found instanceof OffsetDateTime time) {
        return Optional.of(new TimeExpression(text, true, now -> time.toZonedDateTime()));
      }
      LocalDateTime local =
          found instanceof LocalDate day ? day.atStartOfDay() : LocalDateTime.from(found);
      return Optional.of(new TimeExpression(text, false, now -> local.atZone(now.getZone())));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<TimeExpression> day(String text, String plain) {
    Matcher matcher = DAY.matcher(plain);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    if (matcher.group(1) != null) {
      return Optional.of(new TimeExpression(text, false, now -> now));
    }
    int back = matcher.group(2).equals("yesterday") ? 1 : 0;
    try {
      LocalTime time =
          matcher.group(3) == null ? LocalTime.MIDNIGHT : LocalTime.parse(matcher.group(3));
      return Optional.of(
          new TimeExpression(
              text,
              false,
              now -> now.toLocalDate().minusDays(back).atTime(time).atZone(now.getZone())));
    } catch (DateTimeException e) {
      return Optional.empty(); // such as 25:00
    }
  }

  private static Optional<TimeExpression> ago(String text, String plain) {
    Matcher words = AGO.matcher(plain);
    if (words.matches()) {
      String count = words.group(1);
      long number = count.startsWith("a") ? 1 : Long.parseLong(count);
      ChronoUnit unit = ChronoUnit.valueOf(words.group(2).toUpperCase(Locale.ROOT) + "S");
      return Optional.of(new TimeExpression(text, false, now -> now.minus(number, unit)));
    }
    Matcher brief = SHORT_AGE.matcher(plain);
    if (brief.matches()) {
      Duration age = AgeConverter.unit(brief.group(2)).multipliedBy(Long.parseLong(brief.group(1)));
      return Optional.of(new TimeExpression(text, true, now -> now.minus(age)));
    }
    return Optional.empty();
  }

  /**
   * Returns the instant of the expression. Prints it with the zone for a local time, a word or an
   * age in words; a time with its offset and a short age mean the same in every zone.
   *
   * @param now the time and the zone that the text is relative to
   */
  public Instant resolve(ZonedDateTime now, PrintWriter err) {
    ZonedDateTime time = meaning.apply(now.truncatedTo(ChronoUnit.MILLIS));
    if (!exact) {
      err.println(
          "tidemark: '%s' is %s (%s)"
              .formatted(
                  text.strip(),
                  DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time),
                  time.getZone()));
      err.flush();
    }
    return time.toInstant();
  }

  @Override
  public String toString() {
    return text;
  }

  /** Converter of an argument of the command line. */
  public static final class Converter implements ITypeConverter<TimeExpression> {
    @Override
    public TimeExpression convert(String text) {
      return parse(text)
          .orElseThrow(
              () -> new TypeConversionException("'" + text + "' is no time; say " + EXAMPLES));
    }
  }
}
