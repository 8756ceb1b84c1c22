// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.testkit.objects.FakeClock;
import io.tidemark.testkit.objects.FakeTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A ledger in memory in a time of its own, in which waiting takes no time. */
final class SimulatedLedger {

  static final Duration LEASE = Duration.ofSeconds(30);

  /** When a writer gives its lock back; longer than anything here takes in this time. */
  static final Duration IDLE = Duration.ofMinutes(30);

  private final FakeClock clock = new FakeClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final FakeTime time =
      new FakeTime() {
        @Override
        public synchronized void advance(Duration duration) {
          super.advance(duration);
          clock.jump(duration);
        }
      };
  private final MemoryBackend bytes = new MemoryBackend(clock);

  SimulatedLedger() {
    new LedgerInitializer(store(bytes), "").init();
  }

  FakeClock clock() {
    return clock;
  }

  FakeTime time() {
    return time;
  }

  MemoryBackend bytes() {
    return bytes;
  }

  ObjectStore store(ObjectBackend backend) {
    return new ObjectStore(backend, time.retry());
  }

  ObjectStore store() {
    return store(bytes);
  }

  /** A writer that waits for longer than a lease lasts, and keeps its lease. */
  WriterSettings writer(String runtimeId) {
    return new WriterSettings(runtimeId, LEASE, LEASE.multipliedBy(2), IDLE, time.retry(), time);
  }

  Ledger open(ObjectBackend backend, String runtimeId) {
    return open(backend, LedgerOptions.standard().withWriter(writer(runtimeId)));
  }

  Ledger open(ObjectBackend backend, LedgerOptions options) {
    return Ledger.open(store(backend), "", options);
  }

  /** The lock object as it is. */
  JsonNode lock() {
    return new LedgerObjects(store(), "").read(LedgerLayout.LOCK).orElseThrow().json();
  }

  /** Whether anybody may take the lock, by the clock. */
  boolean lockIsFree() {
    Optional<Instant> until = UtcTimestamp.parse(lock().path("expires_at").asText());
    return !until.orElseThrow().isAfter(clock.instant());
  }

  /** Whether the holder said so itself. */
  boolean lockWasGivenBack() {
    return lock().path("expires_at").asText().startsWith("1970-01-01");
  }

  Ledger open(String runtimeId) {
    return open(bytes, runtimeId);
  }
}
