// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.Retry;
import io.tidemark.objects.WriteResult;
import io.tidemark.testkit.objects.ForwardingBackend;
import io.tidemark.testkit.objects.Race;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Eight writers who want the same lock at once, with the standard settings, on a store that is as
 * far away as another region: what they read while they hold the lock is what all others wait for.
 */
class DistantWritersTest {

  private static final int WRITERS = 8;
  private static final int ROUNDS = 3;
  private static final Duration ROUND_TRIP = Duration.ofMillis(20);

  private final MemoryBackend bytes = new MemoryBackend();

  /** Takes its time, as the way to a server does. */
  private static final class Distant extends ForwardingBackend {

    Distant(ObjectBackend wrapped) {
      super(wrapped);
    }

    private static void travel() {
      LockSupport.parkNanos(ROUND_TRIP.toNanos());
    }

    @Override
    public ReadResult<Content> get(String key, Optional<ETag> known) {
      travel();
      return super.get(key, known);
    }

    @Override
    public Optional<Head> head(String key) {
      travel();
      return super.head(key);
    }

    @Override
    public WriteResult put(String key, Body body, Condition condition, String attempt) {
      travel();
      return super.put(key, body, condition, attempt);
    }
  }

  @Test
  void noneOfEightWritersHasToGiveUp_F3() throws Exception {
    ObjectStore near = new ObjectStore(bytes, Retry.standard());
    new LedgerInitializer(near, "").init();
    AcknowledgedCommits acknowledgedCommits = new AcknowledgedCommits();
    Race.run(
        WRITERS,
        writer -> {
          ObjectStore far = new ObjectStore(new Distant(bytes), Retry.standard());
          try (Ledger ledger = Ledger.open(far, "", LedgerOptions.standard());
              Session session = ledger.session(RecordType.of(Customer.class))) {
            for (int round = 0; round < ROUNDS; round++) {
              acknowledgedCommits.write(session, "shared", writer * 1_000L + round);
            }
          }
          return writer;
        });

    assertThat(acknowledgedCommits.told()).hasSize(WRITERS * ROUNDS);
    acknowledgedCommits.matches(near);
  }
}
