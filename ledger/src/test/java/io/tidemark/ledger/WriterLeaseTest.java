// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.LaterCustomer;
import io.tidemark.ledger.commit.LockContentionException;
import io.tidemark.ledger.commit.WriterSettings;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.MigrationException;
import io.tidemark.ledger.internal.catalog.Upgraders;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.objects.lease.LeaseLostException;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FaultyBackend;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lock, in the cases that the specification lists, with a time that the tests own. */
class WriterLeaseTest {

  private final SimulatedLedger simulatedLedger = new SimulatedLedger();

  private LedgerOptions waiting(String runtimeId, Duration lease, Duration lockTimeout) {
    WriterSettings usual = simulatedLedger.writer(runtimeId);
    return LedgerOptions.standard()
        .withWriter(
            new WriterSettings(
                runtimeId, lease, lockTimeout, usual.idleAfter(), usual.retry(), usual.time()));
  }

  private static Optional<Commit> write(Ledger ledger, String key, long age) {
    return ledger.write(
        List.of(RecordType.of(Customer.class).schema()),
        Map.of(),
        session -> session.ensure(Customer.of(key, age)));
  }

  private static long idOf(Optional<Commit> commit) {
    return commit.orElseThrow().id();
  }

  @Test
  void aSecondWriterWhoHasNoTimeIsToldWhoHasTheLock_G1() {
    try (Ledger first = simulatedLedger.open("first");
        Ledger second =
            simulatedLedger.open(
                simulatedLedger.bytes(),
                waiting("second", SimulatedLedger.LEASE, Duration.ofMillis(100)))) {
      write(first, "c1", 1);
      JsonNode lock = simulatedLedger.lock();

      assertThatThrownBy(() -> write(second, "c2", 1))
          .isInstanceOf(LockContentionException.class)
          .hasMessageContaining(lock.path("owner_id").asText())
          .hasMessageContaining("waited 100 ms");
      assertThat(simulatedLedger.lock()).isEqualTo(lock);
      assertThat(first.log().head()).contains(1L);
    }
  }

  @Test
  void aLockThatHasExpiredIsTakenOver_G2() {
    LedgerObjects objects = new LedgerObjects(simulatedLedger.store(), "");
    ObjectNode lock =
        CanonicalJson.object()
            .put("owner_id", "gone")
            .put("acquired_at", "2026-03-01T11:00:00.000000+00:00")
            .put("expires_at", "2026-03-01T11:00:30.000000+00:00")
            .put("lease_ttl_ms", 30_000);
    objects.write(LedgerLayout.LOCK, lock, Condition.ifAbsent());

    try (Ledger ledger = simulatedLedger.open("next")) {
      assertThat(idOf(write(ledger, "c1", 1))).isEqualTo(1);
    }
    assertThat(simulatedLedger.time().elapsed()).isLessThan(Duration.ofSeconds(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"no JSON", "{}", "{\"owner_id\":\"x\"}", "", "[1,2]", "null"})
  void aLockThatMakesNoSenseBlocksForOneLeaseAndNotForLonger_G3_F17(String garbage) {
    simulatedLedger.store().put(LedgerLayout.LOCK, Body.of(garbage), Condition.ifAbsent());

    try (Ledger ledger =
        simulatedLedger.open(
            simulatedLedger.bytes(),
            waiting("next", SimulatedLedger.LEASE, Duration.ofSeconds(5)))) {
      for (int i = 0; i < 5; i++) {
        assertThatThrownBy(() -> write(ledger, "c1", 1))
            .isInstanceOf(LockContentionException.class);
      }
      while (simulatedLedger.time().elapsed().compareTo(SimulatedLedger.LEASE) < 0) {
        simulatedLedger.time().advance(Duration.ofSeconds(1));
      }
      assertThat(idOf(write(ledger, "c1", 1))).isEqualTo(1);
    }
    assertThat(simulatedLedger.time().elapsed()).isLessThan(SimulatedLedger.LEASE.plusSeconds(3));
  }

  @Test
  void theLockSaysForHowLongItWasAskedFor_G14_F8() {
    try (Ledger ledger =
        simulatedLedger.open(
            simulatedLedger.bytes(),
            waiting("five", Duration.ofSeconds(5), Duration.ofSeconds(5)))) {
      write(ledger, "c1", 1);

      assertThat(simulatedLedger.lock().path("lease_ttl_ms").asLong()).isEqualTo(5_000);
      assertThat(simulatedLedger.lock().path("owner_id").asText()).startsWith("five-");
    }
  }

  @Test
  void aWriterWhoseLockWasTakenFromItCommitsNothing_G12() {
    try (Ledger ledger = simulatedLedger.open("robbed")) {
      write(ledger, "c1", 1);
      ledger.flush();
      simulatedLedger
          .store()
          .put(LedgerLayout.LOCK, Body.of("{\"owner_id\":\"robber\"}"), Condition.none());
      simulatedLedger.time().advance(SimulatedLedger.LEASE.dividedBy(30).plusMillis(1));

      assertThatThrownBy(() -> write(ledger, "c1", 2)).isInstanceOf(LeaseLostException.class);
      assertThat(ledger.log().head()).contains(1L);
      assertThat(simulatedLedger.lock().path("owner_id").asText()).isEqualTo("robber");
      assertThat(idOf(write(ledger, "c1", 2))).as("after a lease").isEqualTo(2);
    }
  }

  @Test
  void aWriterWhoIsTooSlowForItsLeaseCommitsNothing_G12_F17() {
    FaultyBackend faulty = new FaultyBackend(simulatedLedger.bytes());
    try (Ledger slow = simulatedLedger.open(faulty, "slow");
        Session session = slow.session(RecordType.of(Customer.class))) {
      session.ensure(Customer.of("c1", 1)).commit();
      session.ensure(Customer.of("c1", 2));
      faulty.next(
          (operation, key) -> key.endsWith("/manifest.json"),
          BackendFault.runBefore(() -> simulatedLedger.time().advance(Duration.ofSeconds(25))));

      assertThatThrownBy(session::commit)
          .isInstanceOf(LeaseLostException.class)
          .hasMessageContaining("5000 ms left");
      assertThat(slow.log().head()).contains(1L);
      assertThat(session.commit().orElseThrow().id()).as("with the lock taken anew").isEqualTo(2);
    }
  }

  @Test
  void aFailureInTheMiddleLeavesNoLockBehind_G13_F9() {
    try (Ledger ledger = simulatedLedger.open("failing")) {
      write(ledger, "c1", 1);
      ledger.flush();
      Upgraders bad =
          Upgraders.none()
              .with(
                  Models.CUSTOMER,
                  1,
                  row -> {
                    throw new IllegalStateException("a bad upgrader");
                  });

      assertThatThrownBy(
              () ->
                  ledger
                      .schemas()
                      .migrate(
                          List.of(RecordType.of(LaterCustomer.class).schema()),
                          bad,
                          Approval.Force.FORCE,
                          Map.of()))
          .isInstanceOf(MigrationException.class);
      simulatedLedger.time().advance(SimulatedLedger.IDLE.plusMillis(1));
      AwaitCondition.isTrue("the lock is given back", simulatedLedger::lockWasGivenBack);
    }
  }

  @Test
  void aWriterThatOnlyDeclaresTypesGivesTheLockBack_G13_F9() {
    try (Ledger ledger = simulatedLedger.open("declaring");
        Session session = ledger.session(Models.all())) {
      session.validate();
      assertThat(simulatedLedger.lockIsFree()).isFalse();

      simulatedLedger.time().advance(SimulatedLedger.IDLE.plusMillis(1));
      AwaitCondition.isTrue("the lock is given back", simulatedLedger::lockWasGivenBack);
    }
  }

  @Test
  void aClockThatJumpsAheadLetsAnotherWriterInAndLosesNothing_F17() {
    try (Ledger first = simulatedLedger.open("first");
        Ledger second = simulatedLedger.open("second")) {
      assertThat(idOf(write(first, "c1", 1))).isEqualTo(1);
      simulatedLedger.clock().jump(Duration.ofHours(1));

      assertThat(idOf(write(second, "c1", 2))).isEqualTo(2);
      // It still believes in its lease, and is kept from harm by the head.
      assertThat(idOf(write(first, "c1", 3))).isEqualTo(3);
      assertThat(idOf(write(second, "c1", 4))).isEqualTo(4);
    }
  }

  @Test
  void aClockThatJumpsBackBlocksForOneLeaseAndNotForLonger_F17() {
    try (Ledger second = simulatedLedger.open("second")) {
      FaultingBackend faultingBackend = new FaultingBackend(simulatedLedger.bytes());
      Ledger first = simulatedLedger.open(faultingBackend, "first");
      simulatedLedger.clock().jump(Duration.ofHours(1));
      write(first, "c1", 1);
      first.flush();
      faultingBackend.die(); // with the lock, an hour ahead of all others
      simulatedLedger.clock().jump(Duration.ofHours(-1));
      Duration before = simulatedLedger.time().elapsed();

      assertThat(idOf(write(second, "c1", 2))).isEqualTo(2);
      assertThat(simulatedLedger.time().elapsed().minus(before))
          .isBetween(SimulatedLedger.LEASE, SimulatedLedger.LEASE.plusSeconds(3));
      first.close();
    }
  }

  @Test
  void aNameserviceThatIsSlowKeepsTheLockFromNobody_G13() {
    MemoryBackend bytes = new MemoryBackend();
    ObjectStore store = new ObjectStore(bytes, Retry.standard());
    new LedgerInitializer(store, "").init();
    CountDownLatch answer = new CountDownLatch(1);
    LedgerOptions slow =
        WritersContract.patient("slow")
            .withPublisher((commitId, manifestId) -> awaitUninterruptibly(answer));
    try (Ledger first = Ledger.open(store, "", slow);
        Ledger second = Ledger.open(store, "", WritersContract.patient("second"))) {
      assertThat(idOf(write(first, "c1", 1))).isEqualTo(1);
      assertThat(idOf(write(second, "c1", 2))).isEqualTo(2);
      answer.countDown();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aLedgerThatWasClosedTakesNoLock() {
    Ledger ledger = simulatedLedger.open("closed");
    write(ledger, "c1", 1);
    ledger.close();

    assertThatThrownBy(() -> write(ledger, "c1", 2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was closed");
    assertThat(simulatedLedger.lockWasGivenBack()).isTrue();
  }
}
