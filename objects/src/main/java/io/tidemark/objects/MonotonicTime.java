// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Time that only goes forward, and waiting in it; an interface so that a test can own both. How
 * long something took is measured here, never by the wall clock, which may jump.
 */
public interface MonotonicTime {

  /** Nanoseconds since some fixed moment. */
  long nanos();

  /** Waits for so long, or shorter when the thread is interrupted, whose flag stays set. */
  void pause(Duration duration);

  /** Returns the time of this machine. */
  static MonotonicTime system() {
    return SystemTime.SYSTEM;
  }

  /** See {@link MonotonicTime#system()}. */
  enum SystemTime implements MonotonicTime {
    SYSTEM;

    @Override
    public long nanos() {
      return System.nanoTime();
    }

    @Override
    public void pause(Duration duration) {
      LockSupport.parkNanos(this, duration.toNanos());
    }
  }
}
