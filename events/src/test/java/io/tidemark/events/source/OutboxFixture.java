// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import io.tidemark.events.EventBus;
import io.tidemark.events.model.BusOptions;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInitializer;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.testkit.objects.FakeClock;
import io.tidemark.testkit.objects.FakeTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/** A store with a ledger and a bus in it, which any number of processes open. */
final class OutboxFixture implements AutoCloseable {

  static final String LEDGER = "ledgers/shop/";
  static final String BUS = "bus/";

  private final ObjectBackend bytes;
  private final MonotonicTime time;
  private final Retry retry;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  private OutboxFixture(ObjectBackend bytes, MonotonicTime time, Retry retry) {
    this.bytes = bytes;
    this.time = time;
    this.retry = retry;
    new LedgerInitializer(new ObjectStore(bytes, retry), LEDGER).init();
  }

  static OutboxFixture on(ObjectBackend backend) {
    return new OutboxFixture(backend, MonotonicTime.system(), Retry.standard());
  }

  /** One in memory with a time of its own, in which waiting takes none. */
  static OutboxFixture inTime(FakeClock clock) {
    FakeTime time =
        new FakeTime() {
          @Override
          public synchronized void advance(Duration duration) {
            super.advance(duration);
            clock.jump(duration);
          }
        };
    return new OutboxFixture(new MemoryBackend(clock), time, time.retry());
  }

  static FakeClock clock() {
    return new FakeClock(Instant.parse("2026-03-01T12:00:00Z"));
  }

  ObjectBackend bytes() {
    return bytes;
  }

  OutboxProcess process() {
    return process(bytes);
  }

  /** A process that sees the store through something. */
  OutboxProcess process(ObjectBackend through) {
    return process(through, BranchName.MAIN);
  }

  OutboxProcess process(ObjectBackend through, BranchName branch) {
    ObjectStore store = new ObjectStore(through, retry);
    WriterSettings usual = WriterSettings.standard();
    WriterSettings writer =
        new WriterSettings(
            "test", usual.leaseTtl(), usual.lockTimeout(), Duration.ZERO, retry, time);
    Ledger ledger =
        Ledger.open(
            new LedgerObjects(store, LEDGER).forBranch(branch),
            LedgerOptions.standard().withWriter(writer));
    EventBus bus = EventBus.open(store, BUS, BusOptions.standard().withTime(time));
    OutboxProcess process = new OutboxProcess(store, ledger, bus);
    opened.push(ledger);
    return process;
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
    bytes.close();
  }
}
