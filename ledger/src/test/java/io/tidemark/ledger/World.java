// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.testkit.objects.FakeClock;
import io.tidemark.testkit.objects.FakeTime;
import java.time.Duration;
import java.time.Instant;

/** A ledger in memory in a time of its own, in which waiting takes no time. */
final class World {

  static final Duration LEASE = Duration.ofSeconds(30);

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

  World() {
    new LedgerInit(store(bytes), "").init();
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
    return new WriterSettings(
        runtimeId, LEASE, LEASE.multipliedBy(2), Duration.ofMinutes(30), time.retry(), time);
  }

  Ledger open(ObjectBackend backend, String runtimeId) {
    return open(backend, LedgerOptions.standard().withWriter(writer(runtimeId)));
  }

  Ledger open(ObjectBackend backend, LedgerOptions options) {
    return Ledger.open(store(backend), "", options);
  }

  Ledger open(String runtimeId) {
    return open(bytes, runtimeId);
  }
}
