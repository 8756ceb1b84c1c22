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
class TurnTest {

  private static final long LONG = TimeUnit.SECONDS.toNanos(30);

  /** Stands still unless it is moved. */
  private final AtomicLong now = new AtomicLong();

  private final Turn turn =
      new Turn(
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
              if (turn.enter(LONG)) {
                order.add(name);
                turn.leave();
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
    assertThat(turn.enter(LONG)).isTrue();
    List<Thread> line = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      line.add(inLine(name));
    }
    turn.leave();
    for (Thread thread : line) {
      thread.join();
    }
    assertThat(order).containsExactly("a", "b", "c");
  }

  @Test
  void whoLeavesForAMomentIsBackBeforeTheNextInLine() throws Exception {
    assertThat(turn.enter(LONG)).isTrue();
    Thread next = inLine("next");
    turn.leaveForAMoment();
    assertThat(turn.enter(LONG)).isTrue();
    order.add("back");
    turn.leave();
    next.join();
    assertThat(order).containsExactly("back", "next");
  }

  @Test
  void whoDoesNotComeBackKeepsNobodyWaiting() throws Exception {
    assertThat(turn.enter(LONG)).isTrue();
    Thread next = inLine("next");
    turn.leaveForAMoment();
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(2));
    next.join();
    assertThat(order).containsExactly("next");
  }

  @Test
  void whereNobodyComesBackFewAreWaitedFor() throws Exception {
    List<Integer> waitedFor = new ArrayList<>();
    for (int i = 1; i <= 200; i++) {
      assertThat(inAnotherThread(turn::leaveForAMoment)).isTrue();
      if (!inAnotherThread(turn::leave)) {
        waitedFor.add(i);
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(2));
        assertThat(inAnotherThread(turn::leave)).isTrue();
      }
    }
    assertThat(waitedFor).containsExactly(1, 2, 4, 8, 16, 32, 64, 128, 192);
  }

  @Test
  void whoComesBackIsWaitedForAgain() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(inAnotherThread(turn::leaveForAMoment)).isTrue();
      now.addAndGet(TimeUnit.MILLISECONDS.toNanos(2));
    }
    for (int i = 0; i < 3; i++) {
      assertThat(turn.enter(0)).isTrue();
      turn.leaveForAMoment();
    }
    assertThat(inAnotherThread(turn::leave)).isFalse();
    assertThat(turn.enter(0)).isTrue();
    turn.leaveForAMoment();
    assertThat(inAnotherThread(turn::leave)).isFalse();
  }

  /** Whether a thread that isn't seen again had its turn, without waiting for it. */
  private boolean inAnotherThread(Runnable leave) throws InterruptedException {
    AtomicBoolean entered = new AtomicBoolean();
    Thread thread =
        new Thread(
            () -> {
              entered.set(turn.enter(0));
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
    assertThat(turn.enter(LONG)).isTrue();
    Thread impatient = new Thread(() -> order.add("entered: " + turn.enter(0)));
    impatient.start();
    impatient.join();
    Thread interrupted = inLine("interrupted");
    Thread next = inLine("next");
    interrupted.interrupt();
    interrupted.join();
    turn.leave();
    next.join();
    assertThat(order).containsExactly("entered: false", "next");
  }
}
