// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.I1;
import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.READY;
import static io.tidemark.testkit.names.Samples.index;
import static io.tidemark.testkit.names.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameService;
import io.tidemark.names.RefusedException;
import io.tidemark.names.SoftLocks;
import io.tidemark.names.SoftLocks.Acquired;
import io.tidemark.names.SoftLocks.Acquisition;
import io.tidemark.names.SoftLocks.HeldBy;
import io.tidemark.names.SoftLocks.Lock;
import io.tidemark.names.SoftLocks.Purpose;
import io.tidemark.testkit.objects.Race;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Soft locks, which one backend keeps as JSON and another as attributes. */
interface LockContract {

  Duration LEASE = Duration.ofMinutes(10);

  NamesFixture fixture();

  private SoftLocks locks(NameService names) {
    return new SoftLocks(names, fixture().clock(), LEASE);
  }

  private static Acquisition acquire(SoftLocks locks, String holder) {
    return locks.acquire(MYDB, Purpose.INDEX, holder, OptionalLong.of(45));
  }

  private static Lock lock(Acquisition acquisition) {
    assertThat(acquisition).isInstanceOf(Acquired.class);
    return ((Acquired) acquisition).lock();
  }

  @Test
  default void aLockIsTakenSeenRefreshedAndGivenBack_decision11_names5_2() {
    fixture().names().create(MYDB);
    ConcernValue busy = value(2, "{'state':'ready','queue_depth':3}");
    fixture().names().push(MYDB, Concern.STATUS, Optional.of(READY), busy);
    SoftLocks mine = locks(fixture().names());
    SoftLocks theirs = locks(fixture().another());
    Lock lock = lock(acquire(mine, "a"));
    assertThat(acquire(theirs, "b")).isEqualTo(new HeldBy(lock));
    Lock refreshed = mine.refresh(MYDB, Purpose.INDEX, lock, 0.67).orElseThrow();
    assertThat(refreshed.progress()).hasValue(0.67);
    assertThat(theirs.find(MYDB, Purpose.INDEX)).contains(refreshed);
    assertThat(mine.release(MYDB, Purpose.INDEX, lock)).isTrue();
    assertThat(fixture().get(MYDB, Concern.STATUS))
        .contains(value(5, "{'state':'ready','queue_depth':3,'index_lock_epoch':1}"));
    assertThat(lock(acquire(theirs, "b")).epoch()).isEqualTo(2);
  }

  @Test
  default void aPausedHolderCantOverwriteItsSuccessor_decision11_names5_2() {
    fixture().names().create(MYDB);
    SoftLocks paused = locks(fixture().names());
    SoftLocks next = locks(fixture().another());
    Lock first = lock(acquire(paused, "a"));
    fixture().clock().jump(LEASE);
    Lock second = lock(acquire(next, "b"));
    ConcernValue built = index(I1, 45, 0);
    assertThatThrownBy(
            () ->
                paused.push(
                    MYDB,
                    Purpose.INDEX,
                    first,
                    new ConcernChange.Push(Concern.INDEX, ConcernValue.UNBORN, built)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("mydb:main")
        .hasMessageContaining("epoch 1 was lost; the last epoch is 2 of b");
    assertThat(fixture().get(MYDB, Concern.INDEX)).contains(ConcernValue.UNBORN);
    assertThat(
            next.push(
                    MYDB,
                    Purpose.INDEX,
                    second,
                    new ConcernChange.Push(Concern.INDEX, ConcernValue.UNBORN, built))
                .updated())
        .isTrue();
    assertThat(paused.release(MYDB, Purpose.INDEX, first)).isFalse();
  }

  @Test
  default void noEpochIsGivenOutTwiceThoughTheRecordWasRetracted_decision11() {
    fixture().names().create(MYDB);
    SoftLocks locks = locks(fixture().names());
    Lock first = lock(acquire(locks, "a"));
    fixture().names().retract(MYDB);
    fixture().names().restore(MYDB);
    assertThat(fixture().get(MYDB, Concern.STATUS))
        .contains(value(4, "{'state':'ready','index_lock_epoch':1}"));
    assertThat(lock(acquire(locks, "a")).epoch()).isEqualTo(first.epoch() + 1);
  }

  @Test
  default void ofAllWhoWantALockOneGetsIt_decision11_names5_2() throws Exception {
    fixture().names().create(MYDB);
    List<NameService> services = List.of(fixture().another(), fixture().another());
    List<Acquisition> ends =
        Race.run(4, thread -> acquire(locks(services.get(thread % 2)), "by-" + thread));
    Lock winner = locks(fixture().names()).find(MYDB, Purpose.INDEX).orElseThrow();
    assertThat(ends).filteredOn(Acquired.class::isInstance).containsExactly(new Acquired(winner));
    assertThat(ends)
        .filteredOn(HeldBy.class::isInstance)
        .hasSize(3)
        .containsOnly(new HeldBy(winner));
  }
}
