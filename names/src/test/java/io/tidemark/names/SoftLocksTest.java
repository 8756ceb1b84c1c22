// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.SoftLocks.Acquired;
import io.tidemark.names.SoftLocks.Acquisition;
import io.tidemark.names.SoftLocks.HeldBy;
import io.tidemark.names.SoftLocks.Lock;
import io.tidemark.names.SoftLocks.Purpose;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SoftLocksTest {

  private static final Address MYDB = Address.parse("mydb");

  private Instant now = Instant.ofEpochSecond(1_705_312_200);
  private final Clock clock =
      new Clock() {
        @Override
        public Instant instant() {
          return now;
        }

        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }
      };
  private final NameService names =
      new NameService(
          new MemoryNameBackend(clock),
          NameOptions.standard().withoutNotifications().withClock(clock));
  private final SoftLocks locks = new SoftLocks(names, clock, Duration.ofMinutes(10));

  @BeforeEach
  void createALedger() {
    names.create(MYDB);
    pushStatus("{\"state\":\"ready\",\"queue_depth\":3}");
  }

  private void pushStatus(String json) {
    ConcernValue status = names.get(MYDB, Concern.STATUS).orElseThrow();
    ConcernValue next = ConcernValue.of(status.watermark() + 1, Payload.parse(json));
    assertThat(names.push(MYDB, Concern.STATUS, Optional.of(status), next).updated()).isTrue();
  }

  private String status() {
    return names.get(MYDB, Concern.STATUS).orElseThrow().payload().orElseThrow().toJson();
  }

  private Acquisition acquire(String holder) {
    return locks.acquire(MYDB, Purpose.INDEX, holder, OptionalLong.of(45));
  }

  private Lock acquired(String holder) {
    Acquisition acquisition = acquire(holder);
    assertThat(acquisition).isInstanceOf(Acquired.class);
    return ((Acquired) acquisition).lock();
  }

  @Test
  void aRecordIsStillBusyWithTheLocksThatAreLeft() {
    Lock index = taken(locks.acquire(MYDB, Purpose.INDEX, "a", OptionalLong.empty()));
    Lock maintenance = taken(locks.acquire(MYDB, Purpose.MAINTENANCE, "b", OptionalLong.empty()));
    assertThat(state()).isEqualTo("maintenance");
    locks.release(MYDB, Purpose.MAINTENANCE, maintenance);
    assertThat(state()).isEqualTo("indexing");
    locks.release(MYDB, Purpose.INDEX, index);
    assertThat(state()).isEqualTo("ready");
  }

  @Test
  void othersSeeHowFarTheHolderIs() {
    Lock lock = acquired("a");
    assertThat(lock.progress()).isEmpty();
    Lock half = locks.refresh(MYDB, Purpose.INDEX, lock, 0.5).orElseThrow();
    assertThat(half.progress()).hasValue(0.5);
    assertThat(locks.refresh(MYDB, Purpose.INDEX, half, -1)).contains(half);
    assertThat(acquire("b")).isEqualTo(new HeldBy(half));
    assertThat(locks.find(MYDB, Purpose.INDEX)).contains(half);
  }

  private static Lock taken(Acquisition acquisition) {
    return ((Acquired) acquisition).lock();
  }

  private String state() {
    return names
        .get(MYDB, Concern.STATUS)
        .flatMap(ConcernValue::payload)
        .flatMap(payload -> payload.string("state"))
        .orElseThrow();
  }

  @Test
  void aLockIsTheDocumentedPartOfTheStatus() {
    Lock lock = acquired("indexer-7f3a");
    assertThat(status().replace(lock.id().orElseThrow(), "ID"))
        .isEqualTo(
            "{\"state\":\"indexing\",\"queue_depth\":3,\"index_lock_epoch\":1,"
                + "\"index_lock\":{\"holder\":\"indexer-7f3a\",\"epoch\":1,\"target_t\":45,"
                + "\"expires_at\":1705312800,\"id\":\"ID\",\"acquired_at\":1705312200}}");
  }

  @Test
  void theSecondIsToldWhoHoldsItAndUntilWhen() {
    Lock lock = acquired("a");
    assertThat(acquire("b")).isEqualTo(new HeldBy(lock));
    assertThat(lock.expiresAt()).isEqualTo(1_705_312_800);
    assertThat(locks.find(MYDB, Purpose.INDEX)).contains(lock);
    assertThat(locks.find(MYDB, Purpose.MAINTENANCE)).isEmpty();
  }

  @Test
  void refreshingMakesItLastAndShowsProgress() {
    Lock lock = acquired("a");
    now = now.plusSeconds(500);
    Lock refreshed = locks.refresh(MYDB, Purpose.INDEX, lock, 0.67).orElseThrow();
    assertThat(refreshed.expiresAt()).isEqualTo(1_705_313_300);
    assertThat(status())
        .contains("\"progress\":0.67")
        .contains("\"refreshed_at\":1705312700")
        .contains("\"acquired_at\":1705312200")
        .contains("\"queue_depth\":3");
  }

  @Test
  void releasingLeavesEverythingElseAndTheEpoch() {
    Lock lock = acquired("a");
    locks.refresh(MYDB, Purpose.INDEX, lock, 0.5);
    assertThat(locks.release(MYDB, Purpose.INDEX, lock)).isTrue();
    assertThat(status())
        .isEqualTo("{\"state\":\"ready\",\"queue_depth\":3,\"index_lock_epoch\":1}");
    assertThat(acquired("b").epoch()).isEqualTo(2);
  }

  @Test
  void anExpiredLockIsTakenOverAndItsHolderFindsOut() {
    Lock first = acquired("a");
    now = now.plusSeconds(600);
    Lock second = acquired("b");
    assertThat(second.epoch()).isEqualTo(2);
    assertThat(locks.refresh(MYDB, Purpose.INDEX, first, 0.9)).isEmpty();
    assertThat(locks.release(MYDB, Purpose.INDEX, first)).isFalse();
    assertThat(locks.find(MYDB, Purpose.INDEX)).contains(second);
  }

  @Test
  void aPausedHolderCantOverwriteItsSuccessor() {
    ConcernValue unborn = names.get(MYDB, Concern.INDEX).orElseThrow();
    Lock first = acquired("a");
    now = now.plusSeconds(600);
    Lock second = acquired("b");
    ConcernValue byFirst =
        ConcernValue.of(45, Payload.parse("{\"default\":{\"id\":\"i1\",\"t\":45,\"rev\":0}}"));
    assertThatThrownBy(
            () ->
                locks.push(
                    MYDB,
                    Purpose.INDEX,
                    first,
                    new ConcernChange.Push(Concern.INDEX, unborn, byFirst)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("mydb:main")
        .hasMessageContaining("epoch 1 was lost; the last epoch is 2");
    assertThat(
            locks
                .push(
                    MYDB,
                    Purpose.INDEX,
                    second,
                    new ConcernChange.Push(Concern.INDEX, unborn, byFirst))
                .updated())
        .isTrue();
    // And one that was paused between its check and its push meets what was published since.
    assertThat(names.push(MYDB, Concern.INDEX, Optional.of(unborn), byFirst))
        .isEqualTo(new PushResult.Conflict(Optional.of(byFirst)));
  }

  @Test
  void aLockThatAnotherProgramWroteIsRespected() {
    pushStatus(
        "{\"state\":\"indexing\",\"index_lock\":{\"holder\":\"x\",\"expires_at\":1705312201}}");
    assertThat(acquire("a"))
        .isEqualTo(
            new HeldBy(
                new Lock(
                    "x",
                    0,
                    1_705_312_201,
                    OptionalLong.empty(),
                    OptionalDouble.empty(),
                    Optional.empty())));
    now = now.plusSeconds(1);
    assertThat(acquired("a").epoch()).isEqualTo(1);
  }

  @Test
  void ofManyThatRaceForALockOneGetsIt() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      List<Future<Acquisition>> tries = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        String holder = "h" + i;
        tries.add(pool.submit(() -> acquire(holder)));
      }
      int winners = 0;
      for (Future<Acquisition> one : tries) {
        winners += one.get() instanceof Acquired ? 1 : 0;
      }
      assertThat(winners).isEqualTo(1);
    } finally {
      pool.shutdown();
    }
  }

  @Test
  void aRecordThatIsntThereHasNoLocks() {
    Address nope = Address.parse("nope");
    assertThatThrownBy(() -> locks.find(nope, Purpose.INDEX)).isInstanceOf(NotFoundException.class);
    assertThatThrownBy(() -> new SoftLocks(names, clock, Duration.ofMillis(10)))
        .isInstanceOf(InvalidPayloadException.class);
  }

  @Test
  void noEpochIsGivenOutTwiceThoughTheRecordWasRetracted() {
    Lock first = acquired("a");
    names.retract(MYDB);
    names.restore(MYDB);
    assertThat(status())
        .isEqualTo("{\"state\":\"ready\",\"queue_depth\":3,\"index_lock_epoch\":1}");
    assertThat(acquired("b").epoch()).isEqualTo(2);
    assertThatThrownBy(() -> locks.requireHeld(MYDB, Purpose.INDEX, first))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("epoch 1 was lost; the last epoch is 2 of b");
  }

  @Test
  void aRestoredRecordHasItsStatusBackWithoutTheLocks() {
    push("{\"state\":\"loading\",\"rows\":7}");
    acquired("a");
    locks.acquire(MYDB, Purpose.MAINTENANCE, "b", OptionalLong.empty());
    names.retract(MYDB);
    names.restore(MYDB);
    assertThat(status())
        .isEqualTo(
            "{\"state\":\"ready\",\"rows\":7,\"index_lock_epoch\":1,"
                + "\"maintenance_lock_epoch\":1}");
  }

  private void push(String status) {
    ConcernValue before = names.get(MYDB, Concern.STATUS).orElseThrow();
    ConcernValue next = ConcernValue.of(before.watermark() + 1, Payload.parse(status));
    assertThat(names.push(MYDB, Concern.STATUS, Optional.of(before), next).updated()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "b"})
  void aLockOnANewRecordIsNotThatOfTheOldOne(String holder) {
    Lock first = acquired("a");
    names.purge(MYDB);
    names.create(MYDB);
    Lock second = acquired(holder);
    assertThat(second.epoch()).isEqualTo(first.epoch());
    assertThatThrownBy(() -> locks.requireHeld(MYDB, Purpose.INDEX, first))
        .isInstanceOf(RefusedException.class);
    assertThat(locks.refresh(MYDB, Purpose.INDEX, first, 0.9)).isEmpty();
    assertThat(locks.release(MYDB, Purpose.INDEX, first)).isFalse();
    locks.requireHeld(MYDB, Purpose.INDEX, second);
    assertThat(locks.find(MYDB, Purpose.INDEX, 1, first.id())).isEmpty();
    assertThat(locks.find(MYDB, Purpose.INDEX, 1, second.id())).contains(second);
    assertThat(locks.find(MYDB, Purpose.INDEX, 1, Optional.empty())).contains(second);
    assertThat(locks.find(MYDB, Purpose.INDEX, 2, second.id())).isEmpty();
  }

  @Test
  void whatCannotBeMeantIsRefusedAndChangesNothing() {
    Lock lock = acquired("a");
    String before = status();
    for (double progress : new double[] {1.01, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> locks.refresh(MYDB, Purpose.INDEX, lock, progress))
          .isInstanceOf(InvalidPayloadException.class)
          .hasMessageContaining("from 0 to 1");
    }
    assertThatThrownBy(() -> locks.acquire(MYDB, Purpose.REINDEX, " ", OptionalLong.empty()))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("holder");
    for (long seconds : new long[] {-1, 0, 366L * 86_400, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> new SoftLocks(names, clock, Duration.ofSeconds(seconds)))
          .isInstanceOf(InvalidPayloadException.class)
          .hasMessageContaining("a second at least and a year at most");
    }
    assertThat(status()).isEqualTo(before);
  }
}
