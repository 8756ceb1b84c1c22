// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.objects.MonotonicTime;
import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * How a bus is used. All that use one have to agree on {@code maxSkew}.
 *
 * @param claimLease how long a claim holds whose request names no lease; to be longer than clocks
 *     differ, as otherwise a process with a fast clock takes work from others that are at it
 * @param retries what becomes of what fails
 * @param limits how large things may be
 * @param maxSkew how far clocks may differ, and how long publishing may take. Twice as far behind
 *     the present nothing new is looked for
 * @param sessionTtl after how long without a heartbeat a session counts as dead
 * @param time for durations
 * @param random for jitter; safe for use by several threads
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
   * What becomes of what fails.
   *
   * @param maxAttempts an event that has failed so often is given up
   * @param backoffBase doubled with every attempt is how long to wait for the next
   * @param backoffMax but never longer than this
   */
  public record Retries(int maxAttempts, Duration backoffBase, Duration backoffMax) {
    public Retries {
      positive("maxAttempts", maxAttempts);
      positive("backoffBase", backoffBase);
      positive("backoffMax", backoffMax);
    }
  }

  /**
   * How large things may be.
   *
   * @param maxPayloadBytes of a payload, as JSON in UTF-8
   * @param maxChainDepth of events that cause each other
   * @param readAhead how many events a process looks at ahead of what is claimed; priorities count
   *     among these
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

  /** How far behind the present nothing new can appear any more. */
  public Duration overlap() {
    return maxSkew.multipliedBy(2);
  }
}
