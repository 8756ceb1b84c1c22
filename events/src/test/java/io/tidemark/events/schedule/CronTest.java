// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.testkit.Seed;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What five fields mean. */
final class CronTest {

  @ParameterizedTest
  @CsvSource({
    "* * * * *, 2026-03-01T00:00:00Z, 2026-03-01T00:01:00Z",
    "30 4 * * *, 2026-03-01T04:30:00Z, 2026-03-02T04:30:00Z",
    "*/15 * * * *, 2026-03-01T00:00:00Z, 2026-03-01T00:15:00Z",
    "'0,30 9-17 * * 1-5', 2026-03-06T17:30:00Z, 2026-03-09T09:00:00Z",
    "0 0 * * 0, 2026-03-02T00:00:00Z, 2026-03-08T00:00:00Z",
    "0 0 * * 7, 2026-03-02T00:00:00Z, 2026-03-08T00:00:00Z",
    "0 0 29 2 *, 2026-03-01T00:00:00Z, 2028-02-29T00:00:00Z",
    "0 0 31 * *, 2026-03-31T00:00:00Z, 2026-05-31T00:00:00Z",
    "0 0 13 * 5, 2026-03-13T00:00:00Z, 2026-03-20T00:00:00Z",
    "0 0 1 1 *, 2026-01-01T00:00:00Z, 2027-01-01T00:00:00Z",
    "0 12 * JAN MON, 2026-03-01T00:00:00Z, 2027-01-04T12:00:00Z",
  })
  void fieldsSayWhenItNextHappens(String text, Instant after, Instant next) {
    Cron cron = Cron.parse(text);
    assertThat(cron.next(after)).contains(next);
    assertThat(cron.matches(next)).isTrue();
    assertThat(cron.toString()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "* * * *",
        "* * * * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * * 13 *",
        "* * * * 8",
        "*/0 * * * *",
        "5-1-2 * * * *",
        "x * * * *",
        "@hourly"
      })
  void whatIsNoScheduleIsRefused(String text) {
    assertThatThrownBy(() -> Cron.parse(text))
        .isInstanceOf(InvalidCronException.class)
        .hasMessageContaining("\"" + text + "\" is no schedule");
  }

  @Test
  void aScheduleHasALimit() {
    assertThatThrownBy(() -> Cron.parse("1" + ",1".repeat(100) + " * * * *"))
        .isInstanceOf(InvalidCronException.class)
        .hasMessageContaining("characters");
  }

  @Test
  void randomSchedulesMatchExactlyTheMinutesTheySay() {
    Seed seed = Seed.of("CronTest");
    RandomGenerator random = seed.random();
    for (int i = 0; i < 60; i++) {
      Field[] fields = {
        Field.draw(random, 0, 59),
        Field.draw(random, 0, 23),
        Field.draw(random, 1, 31),
        Field.draw(random, 1, 12),
        Field.draw(random, 0, 7)
      };
      String text =
          fields[0].text
              + " "
              + fields[1].text
              + " "
              + fields[2].text
              + " "
              + fields[3].text
              + " "
              + fields[4].text;
      Cron cron = Cron.parse(text);
      for (int n = 0; n < 30; n++) {
        ZonedDateTime time =
            Instant.ofEpochSecond(60L * random.nextInt(40_000_000)).atZone(ZoneOffset.UTC);
        boolean expected = matches(fields, time);
        assertThat(cron.matches(time.toInstant()))
            .as("%s at %s, %s", text, time, seed)
            .isEqualTo(expected);
      }
    }
  }

  private static boolean matches(Field[] fields, ZonedDateTime time) {
    int sunday = time.getDayOfWeek().getValue() % 7;
    boolean dayOfWeek = fields[4].has(sunday) || (sunday == 0 && fields[4].has(7));
    boolean dayOfMonth = fields[2].has(time.getDayOfMonth());
    boolean either = !fields[2].all() && !fields[4].all();
    return fields[0].has(time.getMinute())
        && fields[1].has(time.getHour())
        && fields[3].has(time.getMonthValue())
        && (either ? dayOfMonth || dayOfWeek : dayOfMonth && dayOfWeek);
  }

  /** A field by the book: a star, numbers, a range, or steps. */
  private record Field(String text, BitSet values) {
    static Field draw(RandomGenerator random, int low, int high) {
      BitSet values = new BitSet();
      int one = random.nextInt(low, high + 1);
      int other = random.nextInt(one, high + 1);
      switch (random.nextInt(5)) {
        case 0 -> {
          values.set(one);
          return new Field("" + one, values);
        }
        case 1 -> {
          values.set(one);
          values.set(other);
          return new Field(one == other ? "" + one : one + "," + other, values);
        }
        case 2 -> {
          values.set(one, other + 1);
          return new Field(one == other ? "" + one : one + "-" + other, values);
        }
        case 3 -> {
          int step = random.nextInt(2, 6);
          for (int i = low; i <= high; i += step) {
            values.set(i);
          }
          return new Field("*/" + step, values);
        }
        default -> {
          values.set(low, high + 1);
          return new Field("*", values);
        }
      }
    }

    boolean has(int value) {
      return values.get(value);
    }

    boolean all() {
      return text.equals("*");
    }
  }

  @Test
  void aMinuteBeginsAtItsSecondZero() {
    Cron cron = Cron.parse("30 4 * * *");
    Instant minute = Instant.parse("2026-03-01T04:30:00Z");
    assertThat(cron.matches(minute.plusSeconds(59))).isTrue();
    assertThat(cron.matches(minute.plus(1, ChronoUnit.MINUTES))).isFalse();
  }
}
