// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import java.time.Duration;
import java.time.Instant;

/** Bound between old and young: an age in whole seconds, or a point in time. */
public sealed interface Cutoff {

  /** Returns the point in time that this means now. */
  Instant at(Instant now);

  /** Returns the bound that is so long ago. */
  static Cutoff age(Duration age) {
    return new Age(age.toSeconds());
  }

  /** Returns the bound at a point in time. */
  static Cutoff time(Instant time) {
    return new Time(time);
  }

  /** Age in seconds. */
  record Age(long seconds) implements Cutoff {
    @Override
    public Instant at(Instant now) {
      return now.minusSeconds(seconds);
    }
  }

  /** Point in time. */
  record Time(Instant time) implements Cutoff {
    @Override
    public Instant at(Instant now) {
      return time;
    }
  }
}
