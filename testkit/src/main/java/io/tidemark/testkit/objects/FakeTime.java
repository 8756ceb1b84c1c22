// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.Retry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Time that passes only when somebody waits in it, at once. */
public final class FakeTime implements MonotonicTime {
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
}
