// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.objects.MonotonicTime;
import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * Options of a bus. All processes that use one bus have to agree on {@code maxSkew}.
 *
 * @param claimLease lease of a claim whose request names none. It must be longer than clocks
 *     differ, as a process with a fast clock otherwise takes events whose leases still run
 * @param retries retry policy of failed events
 * @param limits size limits
 * @param maxSkew maximum clock skew, and maximum duration of publishing. A poll looks back no
 *     further than twice this duration
 * @param sessionTtl duration without a heartbeat after which a session counts as dead
 * @param time clock for durations
 * @param random source of jitter; safe for use by several threads
 */
@RecordBuilder
public record BusOptions(
    Duration claimLease,
    Retries retries,
    Limits limits,
    Duration maxSkew,
    Duration sessionTtl,
    MonotonicTime time,
    RandomGenerator random)
    implements BusOptionsBuilder.With {

  public BusOptions {
    positive("claimLease", claimLease);
    positive("maxSkew", maxSkew);
    positive("sessionTtl", sessionTtl);
  }

  /**
   * Retry policy of failed events.
   *
   * @param maxAttempts number of failures after which an event is given up
   * @param backoffBase base of the delay before the next attempt, doubled with every attempt
   * @param backoffMax maximum delay
   */
  public record Retries(int maxAttempts, Duration backoffBase, Duration backoffMax) {
    public Retries {
      positive("maxAttempts", maxAttempts);
      positive("backoffBase", backoffBase);
      positive("backoffMax", backoffMax);
    }
  }

  /**
   * Size limits of a bus.
   *
   * @param maxPayloadBytes maximum size of a payload, as JSON in UTF-8
   * @param maxChainDepth maximum number of events that cause each other
   * @param readAhead number of events that a process reads ahead of what is claimed; priorities
   *     count among these
   */
  public record Limits(int maxPayloadBytes, int maxChainDepth, int readAhead) {
    public Limits {
      positive("maxPayloadBytes", maxPayloadBytes);
      positive("readAhead", readAhead);
    }
  }

  private static void positive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " is " + value + "; it has to be positive");
    }
  }

  private static void positive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " is " + value + "; it has to be positive");
    }
  }

  public static BusOptions standard() {
    return new BusOptions(
        Duration.ofSeconds(30),
        new Retries(10, Duration.ofMillis(250), Duration.ofSeconds(30)),
        new Limits(256 * 1024, 20, 2_000),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        MonotonicTime.system(),
        new Random());
  }

  /** Returns how far behind the present a new event can still appear. */
  public Duration overlap() {
    return maxSkew.multipliedBy(2);
  }
}
