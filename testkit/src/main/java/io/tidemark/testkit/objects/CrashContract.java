// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.lease.LeaseLock;
import io.tidemark.objects.lease.LeaseLock.Acquired;
import io.tidemark.objects.lease.LeaseLock.Acquisition;
import io.tidemark.objects.lease.LeaseLock.HeldBy;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.process.ChildJvm;
import io.tidemark.testkit.process.CrashLoop;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What a store must keep when its writers are killed: every write that was acknowledged, nothing
 * torn, nothing left over, and nobody blocked for longer than a lease lasts.
 */
public abstract class CrashContract {
  private static final int MOST_LINES = 400;

  /** A holder that is late by less than two thirds of it, on a busy machine, still has its lock. */
  private static final Duration TTL = Duration.ofSeconds(4);

  /** Longer than a machine is ever busy with other tests; only waiting for ever takes as long. */
  private static final Duration SLACK = Duration.ofMinutes(2);

  /** The place of this test as {@link ObjectStore#open} takes it, empty when the test begins. */
  protected abstract String location();

  /** System properties that another process needs to open that location. */
  protected Map<String, String> childProperties() {
    return Map.of();
  }

  /** How often a writer is killed. */
  protected int rounds() {
    return CrashLoop.standardRounds();
  }

  /** Looks below the store for what its killed writers may have left; it is open meanwhile. */
  protected void checkPlace() throws Exception {}

  @Test
  void aKilledWriterLosesNothingAndBlocksNobody() throws Exception {
    Seed seed = Seed.of("aKilledWriterLosesNothingAndBlocksNobody");
    CrashModel model = new CrashModel();
    try (ObjectStore store = ObjectStore.open(location())) {
      model.prepare(store);
    }
    new CrashLoop(seed.random(), MOST_LINES)
        .run(
            rounds(),
            run -> child(CrashWorker.class, String.valueOf(run)),
            (run, lines) -> afterCrash(model, run, lines));
  }

  private void afterCrash(CrashModel model, int run, List<String> lines) throws Exception {
    model.record(run, lines);
    try (ObjectStore store = ObjectStore.open(location())) {
      model.check(store);
      long start = System.nanoTime();
      model.verifyWritable(store);
      assertThat(since(start)).as("writing after a crash took").isLessThan(SLACK);
      model.check(store);
      checkPlace();
    }
  }

  @Test
  void theLeaseOfAKilledHolderRunsOut() throws Exception {
    try (ObjectStore store = ObjectStore.open(location())) {
      LeaseLock lock = new LeaseLock(store, "lock.json", TTL);
      HeldBy held = killHolder(lock);
      Acquisition acquisition = lock.acquire("successor", TTL.plus(SLACK));
      assertThat(acquisition).as("after %s was killed", held).isInstanceOf(Acquired.class);
      assertThat(store.clock().instant())
          .as("not before it had run out")
          .isAfterOrEqualTo(held.expiresAt().orElseThrow());
      ((Acquired) acquisition).lease().close();
    }
  }

  /**
   * Kills a process that holds the lock, and keeps renewing it, while it does; until when it had
   * it, at least.
   */
  private HeldBy killHolder(LeaseLock lock) {
    try (ChildJvm child = child(LeaseWorker.class, "lock.json", String.valueOf(TTL.toMillis()))) {
      child.expectLine("ready").send("go");
      String holder = child.nextLine().orElseThrow();
      Acquisition early = lock.acquire("too-early", Duration.ZERO);
      assertThat(early)
          .isInstanceOfSatisfying(
              HeldBy.class, held -> assertThat(held.ownerId()).isEqualTo(holder));
      child.kill();
      return (HeldBy) early;
    }
  }

  private static Duration since(long startNanos) {
    return Duration.ofNanos(System.nanoTime() - startNanos);
  }

  private ChildJvm child(Class<?> main, String... arguments) {
    return ChildJvm.start(
        childProperties(),
        main,
        Stream.concat(Stream.of(location()), Stream.of(arguments)).toArray(String[]::new));
  }
}
