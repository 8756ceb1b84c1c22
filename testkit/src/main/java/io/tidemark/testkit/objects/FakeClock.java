// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A wall clock that shows what the test wants, jumps included. */
public final class FakeClock extends Clock {
  private volatile Instant now;

  public FakeClock(Instant now) {
    this.now = now;
  }

  /** Moves the hands, forward or, by a negative duration, back. */
  public void jump(Duration by) {
    now = now.plus(by);
  }

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
}
