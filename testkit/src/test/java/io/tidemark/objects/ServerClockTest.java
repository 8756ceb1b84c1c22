// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.Seed;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ServerClockTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration ROUND_TRIP = Duration.ofMillis(100);

  private Instant local = NOON;
  private final ServerClock clock = new ServerClock(new SettableClock(), Duration.ofSeconds(1));

  @Test
  void aClockThatAgreesToTheSecondIsLeftAlone() {
    for (int millis = 0; millis < 5000; millis += 37) {
      local = NOON.plusMillis(millis);
      clock.recordResponse(local.truncatedTo(ChronoUnit.SECONDS), ROUND_TRIP);

      assertThat(clock.instant()).isEqualTo(local);
    }
  }

  @Test
  void aServerThatIsAheadIsFollowedAtLeastAsFarAsItMustBe() {
    clock.recordResponse(NOON.plusSeconds(60), ROUND_TRIP);

    assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(60));
  }

  @Test
  void aServerThatIsBehindIsFollowedNoFurtherThanItMustBe() {
    clock.recordResponse(NOON.minusSeconds(60), ROUND_TRIP);

    assertThat(clock.instant()).isEqualTo(NOON.minusMillis(60_000 - 1_000 - 100));
  }

  @Test
  void itSettlesWithinARoundTripOfTheTrueDifference() {
    Seed seed = Seed.of("ServerClockTest");
    RandomGenerator random = seed.random();
    Duration ahead = Duration.ofMillis(random.nextInt(-100_000, 100_000));
    for (int i = 0; i < 1000; i++) {
      local = local.plusMillis(random.nextInt(1, 3000));
      Instant made = local.minus(ROUND_TRIP.dividedBy(2)).plus(ahead);
      clock.recordResponse(made.truncatedTo(ChronoUnit.SECONDS), ROUND_TRIP);
    }

    Duration error = Duration.between(local.plus(ahead), clock.instant()).abs();
    assertThat(error).as("%s", seed).isLessThanOrEqualTo(ROUND_TRIP);
  }

  @Test
  void anotherZoneShowsTheSameTime() {
    Clock elsewhere = clock.withZone(ZoneId.of("Europe/Berlin"));
    clock.recordResponse(NOON.plusSeconds(60), ROUND_TRIP);

    assertThat(elsewhere.instant()).isEqualTo(clock.instant());
    assertThat(elsewhere.getZone()).isEqualTo(ZoneId.of("Europe/Berlin"));
    assertThat(clock.getZone()).isEqualTo(ZoneOffset.UTC);
  }

  private final class SettableClock extends Clock {
    @Override
    public Instant instant() {
      return local;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }
  }
}
