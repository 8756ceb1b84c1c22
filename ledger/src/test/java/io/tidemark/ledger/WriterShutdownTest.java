// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.commit.LockContentionException;
import io.tidemark.ledger.commit.WritingStoppedException;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.BranchRefusedException;
import io.tidemark.objects.Condition;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import io.tidemark.testkit.objects.RequestLatch;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A writer is told to end while a request of its commit is held back; cases G10 and G13. */
class WriterShutdownTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  private final SimulatedLedger simulatedLedger = new SimulatedLedger();
  private final FaultyBackend backend = new FaultyBackend(simulatedLedger.bytes());
  private final RequestLatch requestLatch = new RequestLatch();
  private final Ledger ledger = simulatedLedger.open(backend, "stopped");
  private final Session session = ledger.session(RecordType.of(Customer.class));

  @BeforeEach
  void declare() {
    session.ensure(Customer.of("c1", 1)).commit();
    ledger.flush();
    session.ensure(Customer.of("c1", 2));
  }

  @AfterEach
  void end() {
    ledger.close();
  }

  private CompletableFuture<Optional<Commit>> commitUntil(Operation operation, String key) {
    backend.next(
        (asked, about) -> asked == operation && about.contains(key),
        BackendFault.hold(requestLatch));
    CompletableFuture<Optional<Commit>> commit = CompletableFuture.supplyAsync(session::commit);
    requestLatch.awaitArrival();
    return commit;
  }

  /** Stops it, which has to wait for something. */
  private static Thread stopping(Ledger ledger) {
    Thread stop = new Thread(() -> ledger.stop(LONG));
    stop.start();
    AwaitCondition.isTrue("it waits", () -> stop.getState() == Thread.State.TIMED_WAITING);
    return stop;
  }

  private void wasStopped(CompletableFuture<?> work) {
    assertThatThrownBy(work::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(WritingStoppedException.class)
        .hasMessageContaining("writing to the ledger in memory: was stopped");
  }

  private long head() {
    try (Ledger reader = simulatedLedger.open("reader")) {
      return reader.log().head().orElse(0L);
    }
  }

  /**
   * Another writer gets the lock without a wait, and this one's row is there once or not at all.
   */
  private void othersGoOnAt(long commitId) {
    assertThat(simulatedLedger.lockWasGivenBack()).isTrue();
    Duration before = simulatedLedger.time().elapsed();
    try (Ledger other = simulatedLedger.open("other")) {
      other.session(RecordType.of(Customer.class)).ensure(Customer.of("c2", 1)).commit();
      assertThat(other.log().head()).contains(commitId);
    }
    assertThat(simulatedLedger.time().elapsed()).isEqualTo(before);
  }

  @Test
  void anIdleWriterGivesTheLockBackAndCommitsNoMore() {
    assertThat(simulatedLedger.lockWasGivenBack()).isFalse();

    ledger.stop(LONG);

    assertThatThrownBy(session::commit).isInstanceOf(WritingStoppedException.class);
    assertThat(session.queued()).isEqualTo(1);
    othersGoOnAt(2);
  }

  @Test
  void aHeadThatIsBeingReplacedStillIs() throws InterruptedException {
    CompletableFuture<Optional<Commit>> commit = commitUntil(Operation.PUT, LedgerLayout.HEAD);
    Thread stop = stopping(ledger);
    requestLatch.open();

    stop.join();
    assertThat(commit.join().orElseThrow().id()).isEqualTo(2);
    othersGoOnAt(3);
  }

  @Test
  void aCommitThatHasntReachedTheHeadIsNone() {
    CompletableFuture<Optional<Commit>> commit = commitUntil(Operation.PUT, "commits/2-");

    ledger.stop(LONG);
    assertThat(simulatedLedger.lockWasGivenBack()).isTrue();
    requestLatch.open();

    wasStopped(commit);
    assertThat(head()).isEqualTo(1);
    othersGoOnAt(2);
  }

  @Test
  void aLockThatIsBeingTakenIsGivenBack() throws InterruptedException {
    ledger.stop(LONG);
    Ledger late = simulatedLedger.open(backend, "late");
    backend.next(Operation.PUT, LedgerLayout.LOCK, BackendFault.hold(requestLatch));
    CompletableFuture<?> commit =
        CompletableFuture.runAsync(
            () ->
                late.session(RecordType.of(Customer.class)).ensure(Customer.of("c3", 1)).commit());
    requestLatch.awaitArrival();
    Thread stop = stopping(late);
    requestLatch.open();

    stop.join();
    wasStopped(commit);
    othersGoOnAt(2);
  }

  @Test
  void whoWaitsForTheLockOfAnotherWaitsNoLonger() {
    Ledger waiting = simulatedLedger.open(backend, "waiting");
    backend.next(
        (operation, key) -> operation == Operation.PUT && key.equals(LedgerLayout.WAITING),
        BackendFault.hold(requestLatch));
    CompletableFuture<?> commit =
        CompletableFuture.runAsync(
            () ->
                waiting
                    .session(RecordType.of(Customer.class))
                    .ensure(Customer.of("c3", 1))
                    .commit());
    requestLatch.awaitArrival();
    waiting.stop(LONG);
    requestLatch.open();

    wasStopped(commit);
    assertThat(simulatedLedger.lockWasGivenBack()).isFalse(); // it is the other's, who still has it
  }

  @Test
  void whenTheHeadTakesTooLongTheLockIsGivenBackAndTheCommitIsntTriedAgain() {
    CompletableFuture<Optional<Commit>> commit = commitUntil(Operation.PUT, LedgerLayout.HEAD);

    ledger.stop(Duration.ofMillis(1));
    othersGoOnAt(2);
    requestLatch.open();

    wasStopped(commit);
    assertThat(head()).isEqualTo(2);
  }

  private LedgerInitializer init() {
    return new LedgerInitializer(simulatedLedger.store(backend), "");
  }

  private CompletableFuture<?> forceUntil(LedgerInitializer init, Operation operation, String key) {
    ledger.stop(LONG); // which gives the lock back
    backend.next(
        (asked, about) -> asked == operation && about.contains(key),
        BackendFault.hold(requestLatch));
    CompletableFuture<?> force =
        CompletableFuture.runAsync(() -> init.reinitialize(init.plan().forceToken()));
    requestLatch.awaitArrival();
    return force;
  }

  @Test
  void f7_aForcedInitThatHasntReachedTheHeadIsNone() {
    LedgerInitializer init = init();
    CompletableFuture<?> force = forceUntil(init, Operation.DELETE, LedgerLayout.INDICES);

    init.stop(LONG);
    assertThat(simulatedLedger.lockWasGivenBack()).isTrue();
    requestLatch.open();

    wasStopped(force);
    assertThat(head()).isEqualTo(1);
    othersGoOnAt(2);
  }

  @Test
  void f7_aForcedInitThatReplacesTheHeadComesToItsEnd() throws InterruptedException {
    LedgerInitializer init = init();
    CompletableFuture<?> force = forceUntil(init, Operation.PUT, LedgerLayout.HEAD);
    Thread stop = new Thread(() -> init.stop(LONG));
    stop.start();
    AwaitCondition.isTrue("it waits", () -> stop.getState() == Thread.State.TIMED_WAITING);
    requestLatch.open();

    stop.join();
    assertThat(force).succeedsWithin(LONG);
    assertThat(head()).isZero();
    othersGoOnAt(1);
  }

  private void forceRefused(Class<? extends Exception> refusal, String message) {
    LedgerInitializer init = init();
    ledger.stop(LONG);
    assertThatThrownBy(() -> init.reinitialize(init.plan().forceToken()))
        .isInstanceOf(refusal)
        .hasMessageContaining(message);
    assertThat(backend.pendingFaults()).isZero();
    assertThat(head()).isEqualTo(1);
    othersGoOnAt(2);
  }

  @Test
  void f7_aBranchThatIsMadeAfterAForcedInitBeganKeepsItsLedger() {
    backend.next(
        (operation, key) -> operation == Operation.DELETE && key.contains(LedgerLayout.INDICES),
        BackendFault.runBefore(
            () -> {
              try (Ledger other = simulatedLedger.open("other")) {
                other.branches().create(new BranchName("dev"));
              }
            }));

    forceRefused(BranchRefusedException.class, "has the branches [dev]");
  }

  @Test
  void f7_aForcedInitReplacesNoHeadThatItHasntSeen() {
    LedgerObjects objects = new LedgerObjects(simulatedLedger.store(), "");
    backend.next(
        (operation, key) -> operation == Operation.PUT && key.contains(LedgerLayout.HEAD),
        BackendFault.runBefore(
            () ->
                objects.write(
                    LedgerLayout.HEAD,
                    objects.read(LedgerLayout.HEAD).orElseThrow().json().put("runtime_id", "late"),
                    Condition.none())));

    forceRefused(LockContentionException.class, "is being written");
  }

  @Test
  void f7_aForcedInitThatTakesTooLongKeepsTheLockFromOthers() {
    LedgerInitializer init = init();
    CompletableFuture<?> force = forceUntil(init, Operation.PUT, LedgerLayout.HEAD);

    init.stop(Duration.ofMillis(1));
    assertThat(simulatedLedger.lockIsFree()).isFalse();
    requestLatch.open();

    assertThat(force).succeedsWithin(LONG);
    othersGoOnAt(1);
  }
}
