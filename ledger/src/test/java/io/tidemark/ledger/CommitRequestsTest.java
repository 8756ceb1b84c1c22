// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.commit.CommitPublisher;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ObjectStore;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.CountingBackend;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import io.tidemark.testkit.objects.RequestCounts;
import io.tidemark.testkit.objects.RequestLatch;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What commits ask of the store. Figures of {@code docs/design/ledger.md} are held here. */
class CommitRequestsTest {

  private final SimulatedLedger simulatedLedger = new SimulatedLedger();
  private final ConcurrentWriteBarrier concurrentWriteBarrier =
      new ConcurrentWriteBarrier(simulatedLedger.bytes());
  private final CountingBackend counting = new CountingBackend(concurrentWriteBarrier);

  /** The outermost, so that what it holds back isn't counted yet. */
  private final FaultyBackend held = new FaultyBackend(counting);

  private final LedgerOptions options =
      LedgerOptions.standard()
          .withWriter(simulatedLedger.writer("writer"))
          .withPublisher(publisher());

  /** One conditional write each, as that of the nameservice when it knows the last version. */
  private CommitPublisher publisher() {
    ObjectStore store = simulatedLedger.store(counting);
    return (commitId, manifestId) ->
        store.put("names/stub.json", Body.of(commitId + " " + manifestId), Condition.none());
  }

  @ParameterizedTest(name = "{0} types, {1} touched by {2} rows after {3} commits")
  @CsvSource({
    "1, 1, 1, 1",
    "1, 1, 200, 20",
    "3, 1, 1, 5",
    "3, 3, 3, 5",
    "3, 3, 200, 40",
    "40, 1, 1, 3",
    "40, 20, 200, 3"
  })
  void aWarmCommitTakesKPlusTwoRequestsInTwoRoundTripsAndAtMostTwoKMore_B17(
      int types, int touched, int rows, int history) {
    try (Ledger ledger = simulatedLedger.open(held, options);
        Session session = ledger.session(ManyTypes.of(types))) {
      ManyTypes.ensure(session, types, types, -1).commit();
      for (int i = 0; i < history; i++) {
        ManyTypes.ensure(session, rows, touched, i).commit();
      }
      ledger.flush();
      RequestLatch background = new RequestLatch();
      held.next((operation, key) -> key.startsWith("meta/indices"), BackendFault.hold(background));
      concurrentWriteBarrier.expect(touched + 1);

      counting.reset();
      assertThat(ManyTypes.ensure(session, rows, touched, history).commit()).isPresent();
      RequestCounts visible = counting.reset();
      background.open();
      ledger.flush();

      assertThat(visible.byOperation()).isEqualTo(Map.of(Operation.PUT, touched + 2L));
      assertThat(visible.roundTrips()).isEqualTo(2);
      assertThat(counting.requests().byOperation())
          .as("indices and publication")
          .isEqualTo(Map.of(Operation.PUT, touched + 1L));
      assertThat(counting.requests().total()).isLessThanOrEqualTo(2L * touched);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 200})
  void twentyFilesCostNothingOnceTheyHaveBeenRead_B17(int rows) {
    try (Ledger before = simulatedLedger.open("before");
        Session session = before.session(ManyTypes.of(1))) {
      for (int i = 0; i < 20; i++) {
        ManyTypes.ensure(session, 50, 1, i).commit();
      }
    }
    try (Ledger ledger = simulatedLedger.open(counting, options);
        Session session = ledger.session(ManyTypes.of(1))) {
      counting.reset();
      assertThat(ManyTypes.ensure(session, rows, 1, 100).commit()).isPresent();
      ledger.flush();
      RequestCounts cold = counting.reset();
      assertThat(ManyTypes.ensure(session, rows, 1, 101).commit()).isPresent();
      ledger.flush();

      // Version of the type, head, index, 20 files and lock; then the lock and the commit's own;
      // then the index, read and written, and the publication.
      assertThat(cold.of(Operation.GET)).isEqualTo(26);
      assertThat(cold.of(Operation.PUT)).isEqualTo(6);
      assertThat(cold.total()).isEqualTo(32);
      assertThat(counting.requests().total()).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10})
  void theFirstCommitOfANewLedgerTakesTwelveRequestsAndSevenForEachTypeItDeclares(int types) {
    try (Ledger ledger = simulatedLedger.open(counting, options);
        Session session = ledger.session(ManyTypes.of(types))) {
      counting.reset();
      assertThat(ManyTypes.ensure(session, types, types, 1).commit()).isPresent();
      ledger.flush();

      assertThat(counting.requests().total()).isEqualTo(12 + 7L * types);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "5, 3", "10, 10"})
  void theFirstCommitOfAProcessReadsWhatItTouchesOnce(int types, int touched) {
    try (Ledger before = simulatedLedger.open("before");
        Session session = before.session(ManyTypes.of(types))) {
      ManyTypes.ensure(session, types, types, 1).commit();
      ManyTypes.ensure(session, types, types, 2).commit();
    }
    try (Ledger ledger = simulatedLedger.open(counting, options);
        Session session = ledger.session(ManyTypes.of(types))) {
      counting.reset();
      assertThat(ManyTypes.ensure(session, touched, touched, 3).commit()).isPresent();
      ledger.flush();

      int files = 2 * touched;
      assertThat(counting.requests().total()).isEqualTo(7L + types + 4L * touched + files);
    }
  }

  @Test
  void openingALedgerTakesThreeRequests() {
    try (Ledger ledger = simulatedLedger.open("before");
        Session session = ledger.session(ManyTypes.of(3))) {
      ManyTypes.ensure(session, 3, 3, 1).commit();
    }

    counting.reset();
    simulatedLedger.open(counting, options).close();

    assertThat(counting.requests().byOperation()).isEqualTo(Map.of(Operation.GET, 3L));
  }

  @Test
  void openingABranchTakesOneMore() {
    BranchName dev = new BranchName("dev");
    try (Ledger ledger = simulatedLedger.open("before");
        Session session = ledger.session(ManyTypes.of(3))) {
      ManyTypes.ensure(session, 3, 3, 1).commit();
      ledger.branches().create(dev);
    }

    counting.reset();
    LedgerObjects branch = new LedgerObjects(simulatedLedger.store(counting), "").forBranch(dev);
    Ledger.open(branch, options).close();

    assertThat(counting.requests().byOperation()).isEqualTo(Map.of(Operation.GET, 4L));
  }

  @Test
  void anEmptyQueueTakesNoRequest_B4() {
    try (Ledger ledger = simulatedLedger.open(counting, options);
        Session session = ledger.session(ManyTypes.of(3))) {
      session.validate();

      assertThat(counting.during(() -> assertThat(session.commit()).isEmpty()).total()).isZero();
    }
  }

  @Test
  void nothingToChangeTakesNoRequestWhileTheLockIsHeldAndOneOtherwise_B2() {
    try (Ledger ledger = simulatedLedger.open(counting, options);
        Session session = ledger.session(ManyTypes.of(3))) {
      assertThat(ManyTypes.ensure(session, 200, 3, 1).commit()).isPresent();
      ledger.flush();
      ManyTypes.ensure(session, 200, 3, 1);

      assertThat(counting.during(() -> assertThat(session.commit()).isEmpty()).total()).isZero();
    }
    try (Ledger ledger = simulatedLedger.open(counting, options);
        Session session = ledger.session(ManyTypes.of(3))) {
      ManyTypes.ensure(session, 200, 3, 1).commit();
      ManyTypes.ensure(session, 200, 3, 1);

      RequestCounts once = counting.during(() -> assertThat(session.commit()).isEmpty());
      assertThat(once.byOperation()).isEqualTo(Map.of(Operation.GET, 1L));
    }
  }

  @Test
  void theFirstCommitOfAnIdleWriterTakesTheLockAndLooksAtTheHead() {
    try (Ledger ledger = simulatedLedger.open(counting, options);
        Session session = ledger.session(ManyTypes.of(1))) {
      ManyTypes.ensure(session, 1, 1, 1).commit();
      ledger.flush();
      simulatedLedger.time().advance(SimulatedLedger.IDLE.plusMillis(1));
      AwaitCondition.isTrue("the lock is given back", simulatedLedger::lockWasGivenBack);

      counting.reset();
      assertThat(ManyTypes.ensure(session, 1, 1, 2).commit()).isPresent();
      ledger.flush();

      // Head and lock, file and manifest and head, index and publication.
      assertThat(counting.requests().byOperation())
          .isEqualTo(Map.of(Operation.GET, 1L, Operation.PUT, 6L));
    }
  }
}
