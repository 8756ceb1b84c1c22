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
class OutboxCrashTest {

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
    FakeClock clock = OutboxFixture.clock();
    try (OutboxFixture outboxFixture = OutboxFixture.inTime(clock)) {
      outboxFixture.process().leave("c0", "left", "over");
      clock.jump(Duration.ofMinutes(1)); // or the lock would be that of the one before
      CrashingBackend crashingBackend = new CrashingBackend(outboxFixture.bytes(), writes);
      live(outboxFixture, crashingBackend);
      clock.jump(absence);

      OutboxProcess next = outboxFixture.process();
      next.outbox().close();
      List<String> carried =
          next.ledger().log().after(0, 100).stream()
              .flatMap(commit -> ids(next, commit).stream())
              .toList();
      assertThat(next.delivered("h"))
          .as("after %d writes", writes)
          .containsExactlyInAnyOrderElementsOf(carried);
      assertThat(next.outbox().poll()).isZero();
      return crashingBackend.isDead();
    }
  }

  private static void live(OutboxFixture outboxFixture, CrashingBackend crashingBackend) {
    try {
      OutboxProcess process = outboxFixture.process(crashingBackend);
      LedgerOutbox outbox = process.outbox();
      process.commit(outbox, "c1", 1, "a", "b");
      process.commit(outbox, "c1", 2, "c");
      outbox.close();
      process.ledger().flush();
    } catch (TidemarkException e) {
      assertThat(crashingBackend.isDead()).isTrue();
    }
  }

  private static List<String> ids(OutboxProcess process, Commit commit) {
    return process.ledger().log().outbox(commit).stream()
        .map((JsonNode document) -> document.path("id").asText())
        .toList();
  }
}
