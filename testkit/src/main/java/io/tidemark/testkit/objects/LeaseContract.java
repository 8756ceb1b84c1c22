// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.lease.Lease;
import io.tidemark.objects.lease.LeaseLock;
import io.tidemark.objects.lease.LeaseLock.Acquired;
import io.tidemark.objects.lease.LeaseLock.Acquisition;
import io.tidemark.objects.lease.LeaseLock.HeldBy;
import io.tidemark.objects.lease.LeaseLostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The lease on every store. Its timing is tested with a clock of the test's own elsewhere. */
interface LeaseContract {

  String KEY = "meta/locks/ontology_write.json";
  Duration LONG = Duration.ofSeconds(30);

  StoreFixture fixture();

  private LeaseLock lock(Duration ttl) {
    return new LeaseLock(fixture().another(), KEY, ttl);
  }

  private static Lease acquired(Acquisition acquisition) {
    assertThat(acquisition).isInstanceOf(Acquired.class);
    return ((Acquired) acquisition).lease();
  }

  @Test
  default void aLeaseIsTheDocumentedJson_G14() {
    Lease lease = acquired(lock(Duration.ofSeconds(5)).acquire("writer-a", Duration.ZERO));
    String moment = "\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{6})?\\+00:00\"";
    assertThat(fixture().text(KEY))
        .matches(
            "\\{\"acquired_at\":"
                + moment
                + ",\"expires_at\":"
                + moment
                + ",\"lease_ttl_ms\":5000,\"owner_id\":\""
                + lease.ownerId()
                + "\"}");
    assertThat(lease.ownerId()).matches("writer-a-[0-9a-f]{16}");
  }

  @Test
  default void aSecondOwnerIsToldWhoHoldsItAndChangesNothing_G1() {
    Lease lease = acquired(lock(LONG).acquire("a", Duration.ZERO));
    StoredObject before = fixture().store().get(KEY).orElseThrow();
    Acquisition second = lock(LONG).acquire("b", Duration.ofMillis(100));
    assertThat(second).isInstanceOf(HeldBy.class);
    HeldBy held = (HeldBy) second;
    assertThat(held.ownerId()).isEqualTo(lease.ownerId());
    assertThat(held.expiresAt().orElseThrow()).isAfter(Instant.now());
    assertThat(fixture().store().get(KEY).orElseThrow().etag()).isEqualTo(before.etag());
    lease.verify();
  }

  @Test
  default void aLeaseThatIsGivenBackCanBeTakenAtOnce() {
    acquired(lock(LONG).acquire("a", Duration.ZERO)).close();
    assertThat(fixture().text(KEY)).contains("\"expires_at\":\"1970-01-01T00:00:00+00:00\"");
    Lease second = acquired(lock(LONG).acquire("b", Duration.ZERO));
    second.verify();
    second.close();
  }

  @Test
  default void anExpiredLeaseIsTakenOverAndItsHolderNotices_G2_G12() {
    Lease first = acquired(lock(Duration.ofMillis(50)).acquire("a", Duration.ZERO));
    Lease second = acquired(lock(LONG).acquire("b", Duration.ofMinutes(1)));
    assertThatThrownBy(first::guard).isInstanceOf(LeaseLostException.class);
    assertThat(first.renew()).isFalse();
    assertThatThrownBy(first::guard)
        .isInstanceOf(LeaseLostException.class)
        .hasMessageContaining(KEY)
        .hasMessageContaining("was taken by another");
    first.close();
    second.verify();
  }

  @Test
  default void aLockThatWasReplacedIsNoticedBeforeTheStepItGuards_G12() {
    Lease lease = acquired(lock(LONG).acquire("a", Duration.ZERO));
    lease.verify();
    fixture().write(KEY, "{\"owner_id\":\"forced\"}");
    assertThatThrownBy(lease::verify)
        .isInstanceOf(LeaseLostException.class)
        .hasMessageContaining("was taken by another");
    lease.close();
    assertThat(fixture().text(KEY)).isEqualTo("{\"owner_id\":\"forced\"}");
  }

  @Test
  default void aLockThatCantBeUnderstoodIsTakenAfterOneTtl_G3() {
    for (String garbage :
        new String[] {"", "no json", "[1]", "{\"owner_id\":\"x\"}", "{\"expires_at\":7}"}) {
      fixture().store().put(KEY, Body.of(garbage), Condition.none());
      LeaseLock lock =
          new LeaseLock(fixture().another(), KEY, Duration.ofSeconds(1), new FakeTime());
      assertThat(lock.acquire("b", Duration.ZERO))
          .isInstanceOfSatisfying(
              HeldBy.class, held -> assertThat(held.expiresAt()).isEqualTo(Optional.empty()));
      acquired(lock.acquire("b", Duration.ofSeconds(2))).close();
    }
  }

  @Test
  default void noTwoHoldTheLockAtOnce() throws Exception {
    int threads = fixture().scale().threads();
    int times = Math.max(1, fixture().scale().races() / 5);
    AtomicInteger inside = new AtomicInteger();
    List<Integer> entered =
        Race.run(
            threads,
            thread -> {
              LeaseLock lock = lock(LONG);
              for (int i = 0; i < times; i++) {
                try (Lease lease = acquired(lock.acquire("t" + thread, Duration.ofMinutes(1)))) {
                  assertThat(inside.incrementAndGet()).isEqualTo(1);
                  lease.verify();
                  inside.decrementAndGet();
                }
              }
              return times;
            });
    assertThat(entered).hasSize(threads).containsOnly(times);
  }

  /** Renewed after a third of its length, it has two thirds in which the machine may be slow. */
  @Test
  default void aLeaseThatIsKeptAliveOutlivesItsTtl() {
    LeaseLock lock = new LeaseLock(fixture().store(), KEY, Duration.ofSeconds(6));
    Lease lease = acquired(lock.acquire("a", Duration.ZERO)).keepAlive();
    LeaseLock other = lock(LONG);
    Instant first = end(other);
    while (!end(other).isAfter(first)) {
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
    lease.guard();
    lease.close();
    acquired(other.acquire("b", Duration.ZERO)).close();
  }

  /** Until when another has the lock. */
  private static Instant end(LeaseLock lock) {
    Acquisition held = lock.acquire("b", Duration.ZERO);
    assertThat(held).isInstanceOf(HeldBy.class);
    return ((HeldBy) held).expiresAt().orElseThrow();
  }
}
