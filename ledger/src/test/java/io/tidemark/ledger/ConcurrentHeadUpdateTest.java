// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.commit.HeadMismatchException;
import io.tidemark.ledger.internal.catalog.SchemaOutdatedException;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import io.tidemark.testkit.objects.RequestLatch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Another writer moves the head at the worst moment; it has no lock, so that it can. */
class ConcurrentHeadUpdateTest {

  private final SimulatedLedger simulatedLedger = new SimulatedLedger();
  private final FaultyBackend faulty = new FaultyBackend(simulatedLedger.bytes());

  private static Optional<Commit> write(Ledger ledger, Record value) {
    return ledger.write(
        List.of(RecordType.of(value.getClass()).schema()),
        Map.of(),
        session -> session.ensure(value));
  }

  /** A rival that takes no notice of the lock: it finds it free, and leaves it as it was. */
  private void rivalWrites(Record value) {
    byte[] lock = simulatedLedger.store().get(LedgerLayout.LOCK).orElseThrow().bytes();
    simulatedLedger.store().delete(LedgerLayout.LOCK);
    try (Ledger rival = simulatedLedger.open("rival")) {
      assertThat(write(rival, value)).isPresent();
    }
    simulatedLedger.store().put(LedgerLayout.LOCK, Body.of(lock), Condition.none());
  }

  @Test
  void ofTwoWritersOfTheSameOneCommitsAndTheOtherHasNothingToDo_G8() {
    try (Ledger first = simulatedLedger.open("first");
        Ledger second = simulatedLedger.open("second")) {
      assertThat(write(first, Customer.of("c1", 1)).orElseThrow().id()).isEqualTo(1);
      assertThat(write(second, Customer.of("c1", 1))).isEmpty();
      assertThat(write(second, Customer.of("c1", 1))).isEmpty();
      assertThat(first.log().head()).contains(1L);
    }
  }

  @Test
  void aCommitThatFindsTheHeadMovedIsMadeAnewOnTop_G9_F10() {
    try (Ledger ledger = simulatedLedger.open(faulty, "slow")) {
      write(ledger, Customer.of("c1", 1));
      write(ledger, Product.of("p1"));
      ledger.flush();
      faulty.next(
          Operation.PUT,
          LedgerLayout.HEAD,
          BackendFault.runBefore(() -> rivalWrites(Product.of("p2"))));

      assertThat(write(ledger, Customer.of("c1", 2)).orElseThrow().id()).isEqualTo(4);
      assertThat(faulty.pendingFaults()).isZero();
    }
    assertThat(LedgerDump.of(simulatedLedger.store()).commits()).hasSize(4);
  }

  @Test
  void aCommitThatFindsItsValuesThereHasNothingToDo_G9_F10() {
    try (Ledger ledger = simulatedLedger.open(faulty, "slow")) {
      write(ledger, Customer.of("c1", 1));
      ledger.flush();
      faulty.next(
          Operation.PUT,
          LedgerLayout.HEAD,
          BackendFault.runBefore(() -> rivalWrites(Customer.of("c1", 2))));

      assertThat(write(ledger, Customer.of("c1", 2))).isEmpty();
    }
    assertThat(LedgerDump.of(simulatedLedger.store()).commits()).hasSize(2);
  }

  @Test
  void aCommitWhoseAnswerIsLostIsFoundBehindAnothers_F1() {
    try (Ledger ledger = simulatedLedger.open(faulty, "slow")) {
      write(ledger, Customer.of("c1", 1));
      ledger.flush();
      // The write is applied, its answer lost; before anybody looks, a rival commits on top.
      faulty.next(Operation.PUT, LedgerLayout.HEAD, BackendFault.loseAnswer());
      faulty.next(
          Operation.HEAD,
          LedgerLayout.HEAD,
          BackendFault.runBefore(() -> rivalWrites(Product.of("p1"))));

      assertThat(write(ledger, Customer.of("c1", 2)).orElseThrow().id()).isEqualTo(2);
      assertThat(faulty.pendingFaults()).isZero();
      assertThat(write(ledger, Customer.of("c1", 3)).orElseThrow().id()).isEqualTo(4);
      ledger.flush();
      assertThat(ledger.indices().verify(IndexMaintenance.Depth.EVERY_COMMIT))
          .matches(IndexMaintenance.Report::ok);
    }
    assertThat(LedgerDump.of(simulatedLedger.store()).commits()).hasSize(4);
  }

  @Test
  void whoLosesTheHeadEachTimeIsToldSoAndKeepsWhatItWantedToSay_F9_F10() {
    try (Ledger ledger = simulatedLedger.open(faulty, "unlucky");
        Session session = ledger.session(RecordType.of(Customer.class))) {
      session.ensure(Customer.of("c1", 1)).commit();
      ledger.flush();
      for (int i = 0; i < 100; i++) {
        faulty.next(Operation.PUT, LedgerLayout.HEAD, BackendFault.refuse());
      }
      session.ensure(Customer.of("c1", 2));

      assertThatThrownBy(session::commit)
          .isInstanceOf(HeadMismatchException.class)
          .hasMessageContaining("nothing was committed");
      assertThat(session.queued()).isEqualTo(1);
      faulty.clearFaults();
      assertThat(session.commit().orElseThrow().id()).isEqualTo(2);
    }
  }

  @Test
  void aCommitThatNobodyCanLookForIsInDoubtAndCanBeMadeAgain_F1_F9() {
    try (Ledger ledger = simulatedLedger.open(faulty, "doubting");
        Session session = ledger.session(RecordType.of(Customer.class))) {
      session.ensure(Customer.of("c1", 1)).commit();
      ledger.flush();
      faulty.next(Operation.PUT, LedgerLayout.HEAD, BackendFault.loseAnswer());
      faulty.always(Operation.HEAD, BackendFault.unavailable());
      faulty.always(Operation.GET, BackendFault.unavailable());
      session.ensure(Customer.of("c1", 2));

      assertThatThrownBy(session::commit).isInstanceOf(OutcomeUnknownException.class);
      assertThat(session.queued()).isEqualTo(1);
      faulty.clearFaults();
      assertThat(session.commit()).as("it did happen").isEmpty();
    }
    assertThat(LedgerDump.of(simulatedLedger.store()).commits()).hasSize(2);
  }

  @Test
  void aFileThatCantBeWrittenIsNoCommitInDoubt_F9() {
    try (Ledger ledger = simulatedLedger.open(faulty, "failing");
        Session session = ledger.session(RecordType.of(Customer.class))) {
      session.ensure(Customer.of("c1", 1)).commit();
      ledger.flush();
      faulty.always(Operation.PUT, BackendFault.loseRequest());
      session.ensure(Customer.of("c1", 2));

      assertThatThrownBy(session::commit)
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("nothing was committed");
      faulty.clearFaults();
      assertThat(session.commit().orElseThrow().id()).isEqualTo(2);
    }
  }

  @Test
  void aCommitInDoubtIsNotForgottenByTheNextOne_F1() {
    try (Ledger ledger = simulatedLedger.open(faulty, "doubting")) {
      write(ledger, Customer.of("c1", 1));
      ledger.flush();
      // Its write of the head arrives only after it was given up.
      faulty.next(Operation.PUT, LedgerLayout.HEAD, BackendFault.arriveLate(1_000));
      faulty.always(Operation.HEAD, BackendFault.unavailable());
      assertThatThrownBy(() -> write(ledger, Customer.of("c1", 2)))
          .isInstanceOf(OutcomeUnknownException.class);
      faulty.clearFaults();
      faulty.deliverLateWrites();

      assertThat(write(ledger, Customer.of("c1", 1)).orElseThrow().id())
          .as("the late one made it 2, so there is something to change")
          .isEqualTo(3);
    }
  }

  @Test
  void aReaderOfTheSameLedgerDoesntMakeItsWriterForgetACommit() throws Exception {
    try (Ledger ledger = simulatedLedger.open(faulty, "both")) {
      write(ledger, Customer.of("c1", 1));
      write(ledger, Customer.of("c1", 2));
      ledger.flush();
      rivalWrites(Product.of("p1"));
      RequestLatch requestLatch = new RequestLatch();
      faulty.next(Operation.GET, LedgerLayout.HEAD, BackendFault.holdAnswer(requestLatch));
      Thread reader = new Thread(() -> ledger.log().head());
      reader.start();
      requestLatch.awaitArrival();
      assertThat(write(ledger, Customer.of("c1", 3)).orElseThrow().id()).isEqualTo(4);
      requestLatch.open();
      reader.join();

      assertThat(write(ledger, Customer.of("c1", 2)).orElseThrow().id()).isEqualTo(5);
    }
  }

  @Test
  void aMigrationThatAnotherCommittedOnTopOfIsEnteredIntoTheCatalog_F5() {
    try (Ledger ledger = simulatedLedger.open(faulty, "migrating")) {
      write(ledger, Customer.of("c1", 1));
      ledger.flush();
      faulty.next(Operation.PUT, LedgerLayout.HEAD, BackendFault.loseAnswer());
      faulty.next(
          Operation.HEAD,
          LedgerLayout.HEAD,
          BackendFault.runBefore(() -> rivalWrites(Product.of("p1"))));

      WriterOperation.MIGRATION.perform(ledger);

      assertThat(faulty.pendingFaults()).isZero();
      assertThat(LedgerDump.of(simulatedLedger.store()).rows())
          .filteredOn(row -> row.contains("upgraded"))
          .hasSize(1)
          .allMatch(row -> row.contains("\"age\":2"));
      assertThat(
              new LedgerObjects(simulatedLedger.store(), "")
                  .read(LedgerLayout.versions(Models.CUSTOMER))
                  .orElseThrow()
                  .json()
                  .path("versions"))
          .hasSize(2);
    }
  }

  @Test
  void whatWasKnownOfALedgerIsForgottenWhenItIsInitialisedAnew_F7() {
    try (Ledger old = simulatedLedger.open("old")) {
      write(old, Customer.of("c1", 1));
      write(old, Customer.of("c1", 2));
      old.flush();
      simulatedLedger.time().advance(SimulatedLedger.IDLE.plusMillis(1));
      AwaitCondition.isTrue("the lock is given back", simulatedLedger::lockWasGivenBack);
      LedgerInitializer init = new LedgerInitializer(simulatedLedger.store(), "");
      init.reinitialize(init.plan().forceToken());
      try (Ledger other = simulatedLedger.open("other")) {
        for (int i = 1; i <= 3; i++) {
          write(other, Customer.of("another", i));
        }
      }

      assertThatThrownBy(() -> write(old, Customer.of("c1", 2)))
          .isInstanceOf(SchemaOutdatedException.class);
      assertThat(write(old, Customer.of("c1", 2)).orElseThrow().id()).isEqualTo(4);
      old.flush();
      assertThat(old.indices().verify(IndexMaintenance.Depth.EVERY_COMMIT))
          .matches(IndexMaintenance.Report::ok);
    }
    assertThat(LedgerDump.of(simulatedLedger.store()).rows()).hasSize(4);
  }
}
