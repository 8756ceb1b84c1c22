// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times as people type them. */
class TimeExpressionTest {

  /** Two days after the end of summer time. */
  private static final ZonedDateTime NOW =
      ZonedDateTime.of(2026, 10, 27, 15, 30, 20, 123_456_789, ZoneId.of("Europe/Berlin"));

  private final StringWriter note = new StringWriter();

  private String resolved(String text) {
    return TimeExpression.parse(text).orElseThrow().resolve(NOW, new PrintWriter(note)).toString();
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-18T14:30:00Z,          2026-11-18T14:30:00Z",
    "2026-11-18T14:30Z,             2026-11-18T14:30:00Z",
    "2026-11-18 14:30:00.5+02:00,   2026-11-18T12:30:00.500Z",
    "7d,                            2026-10-20T14:30:20.123Z",
    "90s,                           2026-10-27T14:28:50.123Z",
    "2w ago,                        2026-10-13T14:30:20.123Z",
  })
  void aTimeWithItsOffsetAndAShortAgeNeedNoNote(String text, String expected) {
    assertThat(resolved(text)).isEqualTo(expected);
    assertThat(note.toString()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-18,                    2026-11-18T00:00:00+01:00",
    "2026-11-18 14:30,              2026-11-18T14:30:00+01:00",
    "2026-11-18T14:30:05,           2026-11-18T14:30:05+01:00",
    "2026-07-01 09:00,              2026-07-01T09:00:00+02:00",
    "now,                           2026-10-27T15:30:20.123+01:00",
    "today,                         2026-10-27T00:00:00+01:00",
    "Yesterday,                     2026-10-26T00:00:00+01:00",
    "yesterday 14:30,               2026-10-26T14:30:00+01:00",
    "2 hours ago,                   2026-10-27T13:30:20.123+01:00",
    "an hour ago,                   2026-10-27T14:30:20.123+01:00",
    "1 day ago,                     2026-10-26T15:30:20.123+01:00",
    "3 days ago,                    2026-10-24T15:30:20.123+02:00",
    "2 months ago,                  2026-08-27T15:30:20.123+02:00",
    "a year ago,                    2025-10-27T15:30:20.123+01:00",
  })
  void aLocalTimeIsShownWithItsZone(String text, String expected) {
    assertThat(resolved(text)).isEqualTo(ZonedDateTime.parse(expected).toInstant().toString());
    assertThat(note.toString())
        .isEqualTo("tidemark: '%s' is %s (Europe/Berlin)%n".formatted(text, expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "17",
        "then",
        "2026-13-01",
        "2026-11-18 25:00",
        "yesterday 25:00",
        "hours ago",
        "2 fortnights ago",
        "2 hours",
        "tomorrow",
        "2026-11-18T14:30:00 Z",
        "-3d"
      })
  void whatIsNoTimeIsNone(String text) {
    assertThat(TimeExpression.parse(text)).isEmpty();
  }
}
