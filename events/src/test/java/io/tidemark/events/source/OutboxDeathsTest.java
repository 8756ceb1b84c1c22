// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.Commit;
import io.tidemark.objects.TidemarkException;
import io.tidemark.testkit.objects.FakeClock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * F25: a process that publishes what another left, and commits itself, dies before each of its
 * writes in turn. Whoever comes next, be it at once or when nobody looks for events of that time
 * any more, finds for each commit its events, and no event without its commit.
 */
class OutboxDeathsTest {

  @Test
  void f25_whoeverDiesAndIsFollowedAtOnceLosesNoEvent() throws Exception {
    eachDeath(Duration.ofSeconds(1));
  }

  @Test
  void f25_whoeverDiesAndIsFollowedLateLosesNoEvent() throws Exception {
    eachDeath(Duration.ofMinutes(10));
  }

  private static void eachDeath(Duration absence) throws Exception {
    boolean died = true;
    int deaths = 0;
    for (int writes = 0; died; writes++) {
      died = death(writes, absence);
      deaths++;
    }
    assertThat(deaths).as("writes of a process").isGreaterThan(8);
  }

  /** Whether it died of it. */
  private static boolean death(int writes, Duration absence) throws Exception {
    FakeClock clock = Place.clock();
    try (Place place = Place.inTime(clock)) {
      place.process().leave("c0", "left", "over");
      clock.jump(Duration.ofMinutes(1)); // or the lock would be that of the one before
      Mortal mortal = new Mortal(place.bytes(), writes);
      live(place, mortal);
      clock.jump(absence);

      Member next = place.process();
      next.outbox().close();
      List<String> carried =
          next.ledger().log().after(0, 100).stream()
              .flatMap(commit -> ids(next, commit).stream())
              .toList();
      assertThat(next.delivered("h"))
          .as("after %d writes", writes)
          .containsExactlyInAnyOrderElementsOf(carried);
      assertThat(next.outbox().poll()).isZero();
      return mortal.isDead();
    }
  }

  private static void live(Place place, Mortal mortal) {
    try {
      Member process = place.process(mortal);
      LedgerOutbox outbox = process.outbox();
      process.commit(outbox, "c1", 1, "a", "b");
      process.commit(outbox, "c1", 2, "c");
      outbox.close();
      process.ledger().flush();
    } catch (TidemarkException e) {
      assertThat(mortal.isDead()).isTrue();
    }
  }

  private static List<String> ids(Member process, Commit commit) {
    return process.ledger().log().outbox(commit).stream()
        .map((JsonNode document) -> document.path("id").asText())
        .toList();
  }
}
