// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.commit.LockContentionException;
import io.tidemark.ledger.commit.WritingStoppedException;
import io.tidemark.ledger.internal.store.Layout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.BranchRefusedException;
import io.tidemark.objects.Condition;
import io.tidemark.testkit.objects.Fault;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Gate;
import io.tidemark.testkit.objects.Operation;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A writer is told to end while a request of its commit is held back; cases G10 and G13. */
class StopTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  private final World world = new World();
  private final FaultyBackend backend = new FaultyBackend(world.bytes());
  private final Gate gate = new Gate();
  private final Ledger ledger = world.open(backend, "stopped");
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
    backend.next((asked, about) -> asked == operation && about.contains(key), Fault.hold(gate));
    CompletableFuture<Optional<Commit>> commit = CompletableFuture.supplyAsync(session::commit);
    gate.awaitArrival();
    return commit;
  }

  /** Stops it, which has to wait for something. */
  private static Thread stopping(Ledger ledger) {
    Thread stop = new Thread(() -> ledger.stop(LONG));
    stop.start();
    Until.isTrue("it waits", () -> stop.getState() == Thread.State.TIMED_WAITING);
    return stop;
  }

  private void wasStopped(CompletableFuture<?> work) {
    assertThatThrownBy(work::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(WritingStoppedException.class)
        .hasMessageContaining("writing to the ledger in memory: was stopped");
  }

  private long head() {
    try (Ledger reader = world.open("reader")) {
      return reader.log().head().orElse(0L);
    }
  }

  /**
   * Another writer gets the lock without a wait, and this one's row is there once or not at all.
   */
  private void othersGoOnAt(long commitId) {
    assertThat(world.lockWasGivenBack()).isTrue();
    Duration before = world.time().elapsed();
    try (Ledger other = world.open("other")) {
      other.session(RecordType.of(Customer.class)).ensure(Customer.of("c2", 1)).commit();
      assertThat(other.log().head()).contains(commitId);
    }
    assertThat(world.time().elapsed()).isEqualTo(before);
  }

  @Test
  void anIdleWriterGivesTheLockBackAndCommitsNoMore() {
    assertThat(world.lockWasGivenBack()).isFalse();

    ledger.stop(LONG);

    assertThatThrownBy(session::commit).isInstanceOf(WritingStoppedException.class);
    assertThat(session.queued()).isEqualTo(1);
    othersGoOnAt(2);
  }

  @Test
  void aHeadThatIsBeingReplacedStillIs() throws InterruptedException {
    CompletableFuture<Optional<Commit>> commit = commitUntil(Operation.PUT, Layout.HEAD);
    Thread stop = stopping(ledger);
    gate.open();

    stop.join();
    assertThat(commit.join().orElseThrow().id()).isEqualTo(2);
    othersGoOnAt(3);
  }

  @Test
  void aCommitThatHasntReachedTheHeadIsNone() {
    CompletableFuture<Optional<Commit>> commit = commitUntil(Operation.PUT, "commits/2-");

    ledger.stop(LONG);
    assertThat(world.lockWasGivenBack()).isTrue();
    gate.open();

    wasStopped(commit);
    assertThat(head()).isEqualTo(1);
    othersGoOnAt(2);
  }

  @Test
  void aLockThatIsBeingTakenIsGivenBack() throws InterruptedException {
    ledger.stop(LONG);
    Ledger late = world.open(backend, "late");
    backend.next(Operation.PUT, Layout.LOCK, Fault.hold(gate));
    CompletableFuture<?> commit =
        CompletableFuture.runAsync(
            () ->
                late.session(RecordType.of(Customer.class)).ensure(Customer.of("c3", 1)).commit());
    gate.awaitArrival();
    Thread stop = stopping(late);
    gate.open();

    stop.join();
    wasStopped(commit);
    othersGoOnAt(2);
  }

  @Test
  void whoWaitsForTheLockOfAnotherWaitsNoLonger() {
    Ledger waiting = world.open(backend, "waiting");
    backend.next(
        (operation, key) -> operation == Operation.PUT && key.equals(Layout.WAITING),
        Fault.hold(gate));
    CompletableFuture<?> commit =
        CompletableFuture.runAsync(
            () ->
                waiting
                    .session(RecordType.of(Customer.class))
                    .ensure(Customer.of("c3", 1))
                    .commit());
    gate.awaitArrival();
    waiting.stop(LONG);
    gate.open();

    wasStopped(commit);
    assertThat(world.lockWasGivenBack()).isFalse(); // it is the other's, who still has it
  }

  @Test
  void whenTheHeadTakesTooLongTheLockIsGivenBackAndTheCommitIsntTriedAgain() {
    CompletableFuture<Optional<Commit>> commit = commitUntil(Operation.PUT, Layout.HEAD);

    ledger.stop(Duration.ofMillis(1));
    othersGoOnAt(2);
    gate.open();

    wasStopped(commit);
    assertThat(head()).isEqualTo(2);
  }

  private LedgerInit init() {
    return new LedgerInit(world.store(backend), "");
  }

  private CompletableFuture<?> forceUntil(LedgerInit init, Operation operation, String key) {
    ledger.stop(LONG); // which gives the lock back
    backend.next((asked, about) -> asked == operation && about.contains(key), Fault.hold(gate));
    CompletableFuture<?> force =
        CompletableFuture.runAsync(() -> init.force(init.plan().forceToken()));
    gate.awaitArrival();
    return force;
  }

  @Test
  void f7_aForcedInitThatHasntReachedTheHeadIsNone() {
    LedgerInit init = init();
    CompletableFuture<?> force = forceUntil(init, Operation.DELETE, Layout.INDICES);

    init.stop(LONG);
    assertThat(world.lockWasGivenBack()).isTrue();
    gate.open();

    wasStopped(force);
    assertThat(head()).isEqualTo(1);
    othersGoOnAt(2);
  }

  @Test
  void f7_aForcedInitThatReplacesTheHeadComesToItsEnd() throws InterruptedException {
    LedgerInit init = init();
    CompletableFuture<?> force = forceUntil(init, Operation.PUT, Layout.HEAD);
    Thread stop = new Thread(() -> init.stop(LONG));
    stop.start();
    Until.isTrue("it waits", () -> stop.getState() == Thread.State.TIMED_WAITING);
    gate.open();

    stop.join();
    assertThat(force).succeedsWithin(LONG);
    assertThat(head()).isZero();
    othersGoOnAt(1);
  }

  private void forceRefused(Class<? extends Exception> refusal, String message) {
    LedgerInit init = init();
    ledger.stop(LONG);
    assertThatThrownBy(() -> init.force(init.plan().forceToken()))
        .isInstanceOf(refusal)
        .hasMessageContaining(message);
    assertThat(backend.waiting()).isZero();
    assertThat(head()).isEqualTo(1);
    othersGoOnAt(2);
  }

  @Test
  void f7_aBranchThatIsMadeAfterAForcedInitBeganKeepsItsLedger() {
    backend.next(
        (operation, key) -> operation == Operation.DELETE && key.contains(Layout.INDICES),
        Fault.meanwhile(
            () -> {
              try (Ledger other = world.open("other")) {
                other.branches().create(new BranchName("dev"));
              }
            }));

    forceRefused(BranchRefusedException.class, "has the branches [dev]");
  }

  @Test
  void f7_aForcedInitReplacesNoHeadThatItHasntSeen() {
    LedgerObjects objects = new LedgerObjects(world.store(), "");
    backend.next(
        (operation, key) -> operation == Operation.PUT && key.contains(Layout.HEAD),
        Fault.meanwhile(
            () ->
                objects.write(
                    Layout.HEAD,
                    objects.read(Layout.HEAD).orElseThrow().json().put("runtime_id", "late"),
                    Condition.none())));

    forceRefused(LockContentionException.class, "is being written");
  }

  @Test
  void f7_aForcedInitThatTakesTooLongKeepsTheLockFromOthers() {
    LedgerInit init = init();
    CompletableFuture<?> force = forceUntil(init, Operation.PUT, Layout.HEAD);

    init.stop(Duration.ofMillis(1));
    assertThat(world.lockIsFree()).isFalse();
    gate.open();

    assertThat(force).succeedsWithin(LONG);
    othersGoOnAt(1);
  }
}
