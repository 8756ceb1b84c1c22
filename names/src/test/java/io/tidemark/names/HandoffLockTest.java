// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.MonotonicTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HandoffLockTest {

  private static final long LONG = TimeUnit.SECONDS.toNanos(30);

  /** Stands still unless it is moved. */
  private final AtomicLong now = new AtomicLong();

  private final HandoffLock handoffLock =
      new HandoffLock(
          new MonotonicTime() {
            @Override
            public long nanos() {
              return now.get();
            }

            @Override
            public void pause(Duration duration) {
              throw new AssertionError("nobody pauses here");
            }
          });

  private final List<String> order = new CopyOnWriteArrayList<>();

  /** Starts a thread that wants its turn and, when it has had it, says so. */
  private Thread inLine(String name) {
    Thread thread =
        new Thread(
            () -> {
              if (handoffLock.acquire(LONG)) {
                order.add(name);
                handoffLock.release();
              }
            });
    thread.start();
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    return thread;
  }

  @Test
  void turnsAreTakenInTheOrderOfTheLine() throws Exception {
    assertThat(handoffLock.acquire(LONG)).isTrue();
    List<Thread> line = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      line.add(inLine(name));
    }
    handoffLock.release();
    for (Thread thread : line) {
      thread.join();
    }
    assertThat(order).containsExactly("a", "b", "c");
  }

  @Test
  void whoLeavesForAMomentIsBackBeforeTheNextInLine() throws Exception {
    assertThat(handoffLock.acquire(LONG)).isTrue();
    Thread next = inLine("next");
    handoffLock.releaseReserved();
    assertThat(handoffLock.acquire(LONG)).isTrue();
    order.add("back");
    handoffLock.release();
    next.join();
    assertThat(order).containsExactly("back", "next");
  }

  @Test
  void whoDoesNotComeBackKeepsNobodyWaiting() throws Exception {
    assertThat(handoffLock.acquire(LONG)).isTrue();
    Thread next = inLine("next");
    handoffLock.releaseReserved();
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(2));
    next.join();
    assertThat(order).containsExactly("next");
  }

  @Test
  void whereNobodyComesBackFewAreWaitedFor() throws Exception {
    List<Integer> waitedFor = new ArrayList<>();
    for (int i = 1; i <= 200; i++) {
      assertThat(inAnotherThread(handoffLock::releaseReserved)).isTrue();
      if (!inAnotherThread(handoffLock::release)) {
        waitedFor.add(i);
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(2));
        assertThat(inAnotherThread(handoffLock::release)).isTrue();
      }
    }
    assertThat(waitedFor).containsExactly(1, 2, 4, 8, 16, 32, 64, 128, 192);
  }

  @Test
  void whoComesBackIsWaitedForAgain() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(inAnotherThread(handoffLock::releaseReserved)).isTrue();
      now.addAndGet(TimeUnit.MILLISECONDS.toNanos(2));
    }
    for (int i = 0; i < 3; i++) {
      assertThat(handoffLock.acquire(0)).isTrue();
      handoffLock.releaseReserved();
    }
    assertThat(inAnotherThread(handoffLock::release)).isFalse();
    assertThat(handoffLock.acquire(0)).isTrue();
    handoffLock.releaseReserved();
    assertThat(inAnotherThread(handoffLock::release)).isFalse();
  }

  /** Whether a thread that isn't seen again had its turn, without waiting for it. */
  private boolean inAnotherThread(Runnable leave) throws InterruptedException {
    AtomicBoolean entered = new AtomicBoolean();
    Thread thread =
        new Thread(
            () -> {
              entered.set(handoffLock.acquire(0));
              if (entered.get()) {
                leave.run();
              }
            });
    thread.start();
    thread.join();
    return entered.get();
  }

  @Test
  void whoHasWaitedLongEnoughGoesAway() throws Exception {
    assertThat(handoffLock.acquire(LONG)).isTrue();
    Thread impatient = new Thread(() -> order.add("entered: " + handoffLock.acquire(0)));
    impatient.start();
    impatient.join();
    Thread interrupted = inLine("interrupted");
    Thread next = inLine("next");
    interrupted.interrupt();
    interrupted.join();
    handoffLock.release();
    next.join();
    assertThat(order).containsExactly("entered: false", "next");
  }
}
