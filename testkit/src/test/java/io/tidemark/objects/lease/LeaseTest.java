// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.lease.LeaseLock.Acquired;
import io.tidemark.objects.lease.LeaseLock.Acquisition;
import io.tidemark.objects.lease.LeaseLock.HeldBy;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.CountingBackend;
import io.tidemark.testkit.objects.FakeClock;
import io.tidemark.testkit.objects.FakeTime;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The lease in a time of the test's own, and when answers get lost. */
class LeaseTest {

  private static final String KEY = "lock.json";
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final Instant START = Instant.parse("2026-11-15T12:00:00.123456Z");

  private final FakeTime time = new FakeTime();
  private final FakeClock clock = new FakeClock(START);
  private final FaultyBackend faulty = new FaultyBackend(new MemoryBackend(clock));
  private final CountingBackend counting = new CountingBackend(faulty);
  private final ObjectStore store = new ObjectStore(counting, time.retry());
  private final LeaseLock lock = new LeaseLock(store, KEY, TTL, time);

  private Lease acquire() {
    return ((Acquired) lock.acquire("a", Duration.ZERO)).lease();
  }

  private Acquisition acquireAsAnother(Duration patience) {
    return new LeaseLock(store, KEY, TTL, time).acquire("b", patience);
  }

  private String body() {
    return store.get(KEY).orElseThrow().text();
  }

  /** For longer than the store tries. */
  private void breakDown(Operation operation) {
    for (int i = 0; i < 60; i++) {
      faulty.next(operation, BackendFault.unavailable());
    }
  }

  private void mend() {
    while (faulty.pendingFaults() > 0) {
      assertThatThrownBy(() -> faulty.put("other", Body.of(""), Condition.none(), "x"))
          .isInstanceOf(StoreUnavailableException.class);
    }
  }

  private void write(String json) {
    store.put(KEY, Body.of(json), Condition.none());
  }

  @Test
  void takingAFreshLockCostsTwoRequestsAndTakingItAgainOne() {
    assertThat(counting.during(() -> acquire().close()).byOperation())
        .isEqualTo(Map.of(Operation.GET, 1L, Operation.PUT, 2L));
    assertThat(counting.during(this::acquire).byOperation()).isEqualTo(Map.of(Operation.PUT, 1L));
  }

  @Test
  void theJsonIsAsDocumentedInMicroseconds() {
    Lease lease = acquire();
    assertThat(body())
        .isEqualTo(
            "{\"acquired_at\":\"2026-11-15T12:00:00.123456+00:00\","
                + "\"expires_at\":\"2026-11-15T12:00:30.123456+00:00\","
                + "\"lease_ttl_ms\":30000,\"owner_id\":\""
                + lease.ownerId()
                + "\"}");
  }

  @Test
  void everyAcquisitionHasAnOwnerIdOfItsOwn_F2() {
    Lease first = acquire();
    first.close();
    assertThat(acquire().ownerId()).isNotEqualTo(first.ownerId());
  }

  @Test
  void aLostAnswerToTheTakingIsResolved_F2_G5() {
    faulty.next(Operation.PUT, BackendFault.loseAnswer());
    Lease lease = acquire();
    assertThat(body()).contains(lease.ownerId());
    lease.verify();
    lease.close();
    assertThat(acquireAsAnother(Duration.ZERO)).isInstanceOf(Acquired.class);
  }

  @Test
  void ourOwnLockIsRecognisedWhenTheStoreCantTell_F2() {
    faulty.next(Operation.PUT, BackendFault.loseAnswer());
    breakDown(Operation.HEAD);
    Lease lease = acquire();
    assertThat(body()).contains(lease.ownerId());
    assertThat(time.elapsed())
        .as("reading back took a while")
        .isGreaterThan(Duration.ofSeconds(14));
    time.advance(Duration.ofSeconds(20).minus(time.elapsed()));
    assertThatThrownBy(lease::guard)
        .as("it counts from before the request")
        .isInstanceOf(LeaseLostException.class);
    assertThat(lease.renew()).isTrue();
    assertThatCode(lease::guard).doesNotThrowAnyException();
  }

  @Test
  void aLockThatVanishesBetweenRefusalAndLookIsCreated_F3() {
    write("{\"owner_id\":\"x\",\"expires_at\":\"2026-11-15T11:00:00+00:00\"}");
    // The take-over is refused, and by the next look the object is gone.
    faulty.next(
        (operation, key) -> {
          if (operation == Operation.PUT) {
            store.delete(KEY);
            return true;
          }
          return false;
        },
        BackendFault.refuse());
    Acquisition acquisition = lock.acquire("a", Duration.ofSeconds(5));
    assertThat(acquisition).isInstanceOf(Acquired.class);
    assertThat(body()).contains(((Acquired) acquisition).lease().ownerId());
  }

  @Test
  void conflictsAndThrottlingAreTriedAgain_F3() {
    faulty
        .next(Operation.PUT, BackendFault.conflict())
        .next(Operation.PUT, BackendFault.unavailable());
    assertThat(lock.acquire("a", Duration.ZERO)).isInstanceOf(Acquired.class);
  }

  @Test
  void waitingEndsWithThePatience() {
    acquire();
    Duration before = time.elapsed();
    Acquisition second = acquireAsAnother(Duration.ofSeconds(5));
    assertThat(second).isEqualTo(new HeldBy(owner(), Optional.of(START.plus(TTL))));
    assertThat(time.elapsed().minus(before)).isEqualTo(Duration.ofSeconds(5));
  }

  private String owner() {
    return body().replaceAll(".*\"owner_id\":\"([^\"]+)\".*", "$1");
  }

  @Test
  void aHolderStopsRelyingOnItsLeaseAThirdBeforeItsEnd() {
    Lease lease = acquire();
    time.advance(Duration.ofSeconds(19));
    assertThatCode(lease::guard).doesNotThrowAnyException();
    time.advance(Duration.ofSeconds(1));
    assertThatThrownBy(lease::guard)
        .isInstanceOf(LeaseLostException.class)
        .hasMessageContaining(KEY)
        .hasMessageContaining("has 10000 ms left, and 10000 ms are the least");
  }

  @Test
  void aLeaseCountsFromBeforeTheRequestThatWroteIt_F17() {
    faulty.next(
        (operation, key) -> {
          if (operation == Operation.PUT) {
            time.advance(Duration.ofSeconds(25));
          }
          return false;
        },
        BackendFault.refuse());
    Lease lease = acquire();
    assertThatThrownBy(lease::guard).hasMessageContaining("has 5000 ms left");
  }

  @Test
  void aJumpOfTheWallClockMakesALeaseNeitherLongerNorShorter_F17() {
    Lease lease = acquire();
    clock.jump(Duration.ofHours(-5));
    time.advance(Duration.ofSeconds(21));
    assertThatThrownBy(lease::guard).isInstanceOf(LeaseLostException.class);
    assertThat(lease.renew()).isTrue();
    clock.jump(Duration.ofHours(10));
    assertThatCode(lease::guard).doesNotThrowAnyException();
  }

  @Test
  void aHolderWhoseClockIsAheadBlocksNoLongerThanItsTtl_F17() {
    write(
        "{\"owner_id\":\"ahead\",\"acquired_at\":\"2027-01-01T00:00:00+00:00\","
            + "\"expires_at\":\"2027-01-01T00:00:10+00:00\",\"lease_ttl_ms\":10000}");
    for (int i = 0; i < 3; i++) { // short looks add up
      assertThat(lock.acquire("a", Duration.ofSeconds(3))).isInstanceOf(HeldBy.class);
    }
    assertThat(lock.acquire("a", Duration.ofSeconds(60))).isInstanceOf(Acquired.class);
    assertThat(time.elapsed()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(12));
  }

  @Test
  void aHolderThatRenewsIsNotTakenForOneThatStandsStill_F17() {
    Lease lease = acquire();
    clock.jump(Duration.ofHours(-1)); // so that it never expires for the other
    faulty.next(
        (operation, key) -> {
          if (operation == Operation.GET && time.elapsed().toSeconds() >= 20) {
            clock.jump(Duration.ofMillis(1));
            lease.renew();
          }
          return false;
        },
        BackendFault.unavailable());
    assertThat(acquireAsAnother(Duration.ofSeconds(45))).isInstanceOf(HeldBy.class);
  }

  @Test
  void aLengthThatCantBeMeantNeitherFreesTheLockNorBreaksTheTaker_F17() {
    for (String ttl : List.of("-1", "0", "9223372036854775807", "1e300", "\"x\"")) {
      write(
          "{\"owner_id\": \"x\", \"expires_at\": \"2026-11-15T12:00:30+00:00\", \"lease_ttl_ms\": %s}"
              .formatted(ttl));
      assertThat(acquireAsAnother(Duration.ZERO)).as(ttl).isInstanceOf(HeldBy.class);
    }
  }

  @Test
  void timestampsOfOtherWritersAreUnderstood_F17() {
    for (String past :
        new String[] {
          "2026-11-15T11:59:59",
          "2026-11-15T11:59:59Z",
          "2026-11-15T12:59:59.5+01:00",
          "2026-11-15T12:00:00.123456+00:00"
        }) {
      write("{\"owner_id\":\"x\",\"expires_at\":\"" + past + "\",\"lease_ttl_ms\":30000}");
      assertThat(lock.acquire("a", Duration.ZERO)).as(past).isInstanceOf(Acquired.class);
    }
    write("{\"owner_id\":\"x\",\"expires_at\":\"2026-11-15T12:00:01\",\"lease_ttl_ms\":30000}");
    assertThat(lock.acquire("a", Duration.ZERO)).isInstanceOf(HeldBy.class);
  }

  @Test
  void aLostAnswerToARenewalIsResolved() {
    Lease lease = acquire();
    time.advance(Duration.ofSeconds(10));
    clock.jump(Duration.ofSeconds(10));
    faulty.next(Operation.PUT, BackendFault.loseAnswer());
    assertThat(lease.renew()).isTrue();
    time.advance(Duration.ofSeconds(15));
    lease.verify();
    assertThat(body()).contains("\"expires_at\":\"2026-11-15T12:00:40.123456+00:00\"");
  }

  /** A renewal is applied, but neither its answer nor anything else comes for a while. */
  private Lease renewedWithoutKnowing() {
    ObjectStore impatient = new ObjectStore(faulty, FakeTime.retry(0));
    LeaseLock lock = new LeaseLock(impatient, KEY, TTL, time);
    Lease lease = ((Acquired) lock.acquire("a", Duration.ZERO)).lease();
    clock.jump(Duration.ofSeconds(10));
    faulty.next(Operation.PUT, BackendFault.loseAnswer());
    faulty
        .next(Operation.HEAD, BackendFault.unavailable())
        .next(Operation.GET, BackendFault.unavailable());
    assertThat(lease.renew()).isFalse();
    assertThat(body()).contains("\"expires_at\":\"2026-11-15T12:00:40.123456+00:00\"");
    return lease;
  }

  @Test
  void aRenewalThatNobodyCouldLookForIsRecognisedLater_F2() {
    Lease lease = renewedWithoutKnowing();
    assertThat(lease.renew()).isTrue();
    assertThatCode(lease::verify).doesNotThrowAnyException();
  }

  @Test
  void aLookAfterARenewalThatNobodyCouldLookForFindsOurLock_F2() {
    assertThatCode(renewedWithoutKnowing()::verify).doesNotThrowAnyException();
  }

  @Test
  void aLeaseIsGivenBackAfterARenewalThatNobodyCouldLookFor_F2() {
    renewedWithoutKnowing().close();
    assertThat(acquireAsAnother(Duration.ZERO)).isInstanceOf(Acquired.class);
  }

  @Test
  void aLookThatTakesTooLongIsNoProof() {
    Lease lease = acquire();
    faulty.next(Operation.GET, BackendFault.runBefore(() -> time.advance(Duration.ofSeconds(25))));
    assertThatThrownBy(lease::verify).isInstanceOf(LeaseLostException.class);
  }

  @Test
  void aRenewalThatCantBeMadeLeavesTheLeaseToItsEnd() {
    Lease lease = acquire();
    breakDown(Operation.PUT);
    assertThat(lease.renew()).isFalse();
    assertThatCode(lease::guard).doesNotThrowAnyException();
    time.advance(Duration.ofSeconds(10));
    assertThatThrownBy(lease::guard).isInstanceOf(LeaseLostException.class);
  }

  @Test
  void givingBackNeverFailsAndWhatCantBeGivenBackRunsOut_F9_G13() {
    Lease lease = acquire();
    breakDown(Operation.PUT);
    assertThatCode(lease::close).doesNotThrowAnyException();
    assertThatThrownBy(lease::guard).hasMessageContaining("was given back");
    mend();
    clock.jump(TTL);
    assertThat(acquireAsAnother(Duration.ZERO)).isInstanceOf(Acquired.class);
  }

  @Test
  void aLeaseThatWasGivenBackIsOverForGood() {
    Lease lease = acquire();
    lease.close();
    lease.close();
    assertThat(lease.renew()).isFalse();
    assertThatThrownBy(lease::guard).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(lease::verify).isInstanceOf(LeaseLostException.class);
  }

  /** In real time, which the keeper waits in. Late is a matter of the machine, early is not. */
  @Test
  void aLeaseIsKeptAliveByARenewalEveryThirdOfItsLength() {
    Duration third = Duration.ofMillis(400);
    LeaseLock real = new LeaseLock(store, KEY, third.multipliedBy(3));
    Lease lease = ((Acquired) real.acquire("a", Duration.ZERO)).lease();
    counting.reset();
    long start = System.nanoTime();
    lease.keepAlive();
    long renewals = 0;
    while (renewals < 3) {
      LockSupport.parkNanos(third.toNanos() / 50);
      renewals = counting.requests().of(Operation.PUT);
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isGreaterThanOrEqualTo(third.multipliedBy(renewals));
    }
    lease.close();
    assertThat(counting.requests().of(Operation.PUT))
        .as("and one to give it back")
        .isGreaterThan(3);
    assertThat(real.acquire("b", Duration.ZERO)).isInstanceOf(Acquired.class);
  }

  @Test
  void aLeaseOfNoLengthIsRefused() {
    assertThatThrownBy(() -> new LeaseLock(store, KEY, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
