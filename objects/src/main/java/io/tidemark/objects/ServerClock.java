// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/**
 * The server's time, as far as its answers tell it: this machine's clock, corrected when it is
 * certainly wrong.
 *
 * <p>An answer carries the time at which it was made, cut to a second as a rule, and it was made
 * between the sending of the request and the arrival of the answer. So each answer bounds the
 * difference between the two clocks: at least {@code date - arrival}, less than {@code date + 1 s -
 * sending}. As long as the difference assumed so far lies within those bounds it stays as it is;
 * otherwise it moves to the nearer bound. Hence a machine whose clock agrees with the server's to
 * the second or so is never corrected, and the corrected time doesn't flicker with each answer. A
 * clock that is off is corrected by the first answer to within a second and a round trip, by later
 * ones further.
 */
public final class ServerClock extends Clock {

  private final Clock local;
  private final Duration resolution;
  private volatile Duration difference = Duration.ZERO;

  /**
   * Creates a clock that knows nothing of the server yet.
   *
   * @param resolution resolution of the times in answers
   */
  public ServerClock(Clock local, Duration resolution) {
    this.local = local;
    this.resolution = resolution;
  }

  /**
   * Takes note of an answer that has just arrived.
   *
   * @param date when the server made it
   * @param roundTrip how long ago the request was sent
   */
  public synchronized void recordResponse(Instant date, Duration roundTrip) {
    Instant arrival = local.instant();
    Duration least = Duration.between(arrival, date);
    Duration most = least.plus(resolution).plus(roundTrip);
    if (difference.compareTo(least) < 0) {
      difference = least;
    } else if (difference.compareTo(most) > 0) {
      difference = most;
    }
  }

  @Override
  public Instant instant() {
    return local.instant().plus(difference);
  }

  @Override
  public ZoneId getZone() {
    return local.getZone();
  }

  @Override
  public Clock withZone(ZoneId zone) {
    // A view: what this clock learns later, the other one shows too.
    ServerClock self = this;
    return new Clock() {
      @Override
      public Instant instant() {
        return self.instant();
      }

      @Override
      public ZoneId getZone() {
        return zone;
      }

      @Override
      public Clock withZone(ZoneId other) {
        return self.withZone(other);
      }
    };
  }
}
