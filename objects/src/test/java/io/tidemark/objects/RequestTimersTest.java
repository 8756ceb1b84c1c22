// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RequestTimersTest {

  private final RequestTimers timers = RequestTimers.shared();

  @Test
  void aTimerThatIsNotCancelledGoesOff() throws Exception {
    CountDownLatch gone = new CountDownLatch(1);
    timers.schedule(gone::countDown, 1, TimeUnit.MILLISECONDS).get();
    assertThat(gone.getCount()).isZero();
  }

  /** Requests come by the thousand, and their timers are minutes long. */
  @Test
  void aTimerThatIsCancelledIsGoneAtOnce() {
    for (int i = 0; i < 10_000; i++) {
      timers.schedule(() -> {}, 5, TimeUnit.MINUTES).cancel(false);
    }
    assertThat(timers.getQueue()).as("the beat, and what others have").hasSizeLessThan(10);
  }

  /** So that a later timer isn't the first in line, for which a thread would be woken. */
  @Test
  void whileThereAreRequestsTheBeatComesBeforeTheirTimers() {
    ScheduledFuture<?> timer = timers.schedule(() -> {}, 5, TimeUnit.MINUTES);
    Object first = timers.getQueue().peek();
    while (first == timer) { // while the beat runs it isn't in the queue
      Thread.onSpinWait();
      first = timers.getQueue().peek();
    }
    assertThat(((ScheduledFuture<?>) requireNonNull(first)).getDelay(TimeUnit.MILLISECONDS))
        .isLessThanOrEqualTo(500);
    timer.cancel(false);
  }

  /** A process that is done isn't kept from ending. */
  @Test
  void theirThreadIsADaemon() throws Exception {
    Thread thread = timers.submit(Thread::currentThread).get();
    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.getName()).isEqualTo("tidemark-timers");
  }
}
