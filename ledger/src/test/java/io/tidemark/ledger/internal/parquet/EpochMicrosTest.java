// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.UtcTimestamp;
import io.tidemark.testkit.Seed;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Moments in their stored form and no other. */
class EpochMicrosTest {

  @ParameterizedTest
  @CsvSource({
    "1970-01-01T00:00:00+00:00, 0",
    "1970-01-01T00:00:00.000001+00:00, 1",
    "1969-12-31T23:59:59.999999+00:00, -1",
    "2026-02-10T12:34:56.789012+00:00, 1770726896789012",
    "0000-01-01T00:00:00+00:00, -62167219200000000",
    "9999-12-31T23:59:59.999999+00:00, 253402300799999999"
  })
  void aStoredMomentIsRead(String text, long micros) {
    assertThat(EpochMicros.of(text)).hasValue(micros);
  }

  @Test
  void everyMomentThatIsWrittenIsRead() {
    Seed seed = Seed.of("EpochMicrosTest.everyMomentThatIsWrittenIsRead");
    RandomGenerator random = seed.random();
    for (int i = 0; i < 10_000; i++) {
      long micros = random.nextLong(-62167219200000000L, 253402300800000000L);
      Instant moment = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);

      assertThat(EpochMicros.of(UtcTimestamp.format(moment))).as("%s", seed).hasValue(micros);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026-02-10",
        "2026-02-10T12:34:56Z",
        "2026-02-10T12:34:56.789012",
        "2026-02-10T12:34:56.789+00:00",
        "2026-02-10T12:34:56+01:00",
        "2026-02-10 12:34:56+00:00",
        "2026-02-30T12:34:56+00:00",
        "2026-13-10T12:34:56+00:00",
        "2026-02-10T24:00:00+00:00",
        "2026-02-10T12:60:00+00:00",
        "2026-02-10T12:34:60+00:00",
        "2026-02-10T12:34:56x789012+00:00",
        "٢٠٢٦-02-10T12:34:56+00:00"
      })
  void anyOtherTextIsNone(String text) {
    assertThat(EpochMicros.of(text)).isEmpty();
  }
}
