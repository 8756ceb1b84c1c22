// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import io.tidemark.testkit.servers.awssdk.BucketBehavior;
import java.time.Clock;
import java.time.Duration;

/**
 * A bucket of {@link S3Server}, with what a test may do to it. Faults, counts and the clock are
 * those of the bucket, so tests that share a server don't meet each other's.
 */
public final class S3Bucket {

  /** Which conditions a bucket judges. */
  public enum Conditions {
    /** All, atomically, as S3 does. */
    JUDGED,
    /** Those of writes; a conditional delete deletes whatever is there, as on several servers. */
    IGNORED_ON_DELETE,
    /** None: every conditional request is applied. A store to be refused. */
    IGNORED
  }

  private final S3Server server;
  private final String name;
  private final Conditions conditions;
  private final BucketFaults bucketFaults = new BucketFaults();
  private final RequestLog requests = new RequestLog();
  private volatile Duration clockSkew = Duration.ZERO;
  private volatile int pageLimit = Integer.MAX_VALUE;
  private volatile boolean weakETags;

  S3Bucket(S3Server server, String name, Conditions conditions) {
    this.server = server;
    this.name = name;
    this.conditions = conditions;
  }

  /** Where it is. */
  public S3Server server() {
    return server;
  }

  /** What to give a client. */
  public String name() {
    return name;
  }

  /** What is to go wrong. */
  public BucketFaults faults() {
    return bucketFaults;
  }

  /** What was asked. */
  public RequestLog requests() {
    return requests;
  }

  /** From now on the server's clock is off by this much in answers about this bucket. */
  public void skewClock(Duration skew) {
    clockSkew = skew;
  }

  /** From now on no page of a listing is longer, whatever the client asks for. */
  public void limitPages(int entries) {
    if (entries < 1) {
      throw new IllegalArgumentException("a page needs room for an entry, not for " + entries);
    }
    pageLimit = entries;
  }

  /**
   * From now on headers name versions by weak ETags, {@code W/"…"}, as behind a proxy that packs
   * bodies; conditions and listings keep the strong ones.
   */
  public void weakenETags() {
    weakETags = true;
  }

  boolean hasWeakETags() {
    return weakETags;
  }

  Clock clock() {
    return Clock.offset(Clock.systemUTC(), clockSkew);
  }

  boolean hasSkewedClock() {
    return !clockSkew.isZero();
  }

  BucketBehavior traits() {
    return new BucketBehavior() {
      @Override
      public boolean judgesWrites() {
        return conditions != Conditions.IGNORED;
      }

      @Override
      public boolean judgesDeletes() {
        return conditions == Conditions.JUDGED;
      }

      @Override
      public int pageLimit() {
        return pageLimit;
      }

      @Override
      public Clock clock() {
        return S3Bucket.this.clock();
      }
    };
  }
}
