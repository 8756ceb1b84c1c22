// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.internal.store.LedgerObjects.Document;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A busy session leaves the lock to a program that polls for it and leaves no other trace. */
class FairShareTest {

  private static final String LOCK = "meta/locks/ontology_write.json";
  private static final Duration POLL = Duration.ofMillis(250);
  private static final Duration FOREIGN_TIMEOUT = Duration.ofSeconds(5);

  private final LedgerFixture fixture = new LedgerFixture(new MemoryBackend());
  private final AtomicLong nanos = new AtomicLong();
  private Optional<Duration> takenAfter = Optional.empty();

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Time that passes while somebody pauses or commits; the other program polls meanwhile. */
  private final MonotonicTime time =
      new MonotonicTime() {
        @Override
        public long nanos() {
          return nanos.get();
        }

        @Override
        public void pause(Duration duration) {
          pass(duration);
        }
      };

  private void pass(Duration duration) {
    long end = nanos.get() + duration.toNanos();
    for (long next = nextPoll(); next <= end; next = nextPoll()) {
      nanos.set(next);
      if (takenAfter.isEmpty() && takeAndGiveBack()) {
        takenAfter = Optional.of(Duration.ofNanos(nanos.get()));
      }
    }
    nanos.set(end);
  }

  private long nextPoll() {
    return (nanos.get() / POLL.toNanos() + 1) * POLL.toNanos();
  }

  /** One try of the protocol of the seed: create the lock, or replace one that has expired. */
  private boolean takeAndGiveBack() {
    Optional<Document> lock = fixture.objects().read(LOCK);
    Instant now = fixture.store().clock().instant();
    boolean isFree =
        lock.map(found -> found.json().path("expires_at").asText())
            .flatMap(UtcTimestamp::parse)
            .filter(expires -> expires.isAfter(now))
            .isEmpty();
    Condition condition =
        lock.map(found -> Condition.ifMatch(found.etag())).orElse(Condition.ifAbsent());
    boolean taken =
        isFree
            && fixture
                .objects()
                .write(
                    LOCK,
                    CanonicalJson.object()
                        .put("owner_id", "original")
                        .put("expires_at", UtcTimestamp.format(now.plusSeconds(30)))
                        .put("lease_ttl_ms", 30_000),
                    condition)
                .written();
    if (taken) {
      fixture.delete(LOCK);
    }
    return taken;
  }

  @Test
  void anotherProgramGetsTheLockBeforeItsTimeout() {
    WriterSettings usual = LedgerFixture.writer(Duration.ofSeconds(1));
    fixture.initialiser().init();
    Ledger ledger =
        fixture.open(
            LedgerFixture.options()
                .withWriter(
                    new WriterSettings(
                        "test",
                        usual.leaseTtl(),
                        usual.lockTimeout(),
                        usual.idleAfter(),
                        usual.retry(),
                        time)));
    try (Session session = ledger.session(Models.all())) {
      for (int i = 0; i < 100; i++) {
        session.ensure(Customer.of("c1", i)).commit();
        pass(Duration.ofMillis(100)); // of work between two commits, less than a pause
      }
    }

    assertThat(takenAfter).hasValueSatisfying(d -> assertThat(d).isLessThan(FOREIGN_TIMEOUT));
    assertThat(ledger.log().head()).contains(100L);
  }
}
