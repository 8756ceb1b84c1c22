// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.Retry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Time that passes only when somebody waits in it, at once. */
public class FakeTime implements MonotonicTime {
  private final AtomicLong nanos = new AtomicLong();

  @Override
  public long nanos() {
    return nanos.get();
  }

  @Override
  public void pause(Duration duration) {
    advance(duration);
  }

  /** Lets time pass. */
  public void advance(Duration duration) {
    nanos.addAndGet(duration.toNanos());
  }

  /** How much time has passed since the beginning. */
  public Duration elapsed() {
    return Duration.ofNanos(nanos());
  }

  /** The budget and pauses of {@link Retry#standard()}, in this time. */
  public Retry retry() {
    return new Retry(Duration.ofSeconds(15), Duration.ofMillis(20), Duration.ofSeconds(2), this);
  }

  /**
   * Gives up after exactly so many pauses. Those of {@link #retry()} have random lengths, so how
   * many there are isn't the same in each run; this one is for runs that are to be seen again.
   */
  public static Retry retry(int pauses) {
    FakeTime even =
        new FakeTime() {
          @Override
          public void pause(Duration duration) {
            advance(Duration.ofSeconds(1));
          }
        };
    Duration second = Duration.ofSeconds(1);
    return new Retry(second.multipliedBy(pauses), second, second, even);
  }
}
