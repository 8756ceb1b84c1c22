// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.tidemark.objects.MonotonicTime;
import java.time.Duration;

/**
 * Time at which the bucket was last known to be there. An answer to a HEAD has no body, so that a
 * missing bucket looks like a missing object. A bucket that has answered a moment ago is taken to
 * be there still, so looking for what is absent costs a second request at most once in a while.
 */
final class BucketPresence {

  /** How long an answer of the bucket counts. */
  static final Duration REMEMBERED = Duration.ofMinutes(1);

  private final MonotonicTime time;
  private volatile boolean seen;
  private volatile long seenNanos;

  BucketPresence(MonotonicTime time) {
    this.time = time;
  }

  /** Notes that the bucket has just answered. */
  void recordSeen() {
    seenNanos = time.nanos();
    seen = true;
  }

  /** Returns whether the bucket has answered at some time. */
  boolean wasSeen() {
    return seen;
  }

  /** Returns whether the bucket has answered a moment ago. */
  boolean isRecent() {
    return seen && time.nanos() - seenNanos < REMEMBERED.toNanos();
  }
}
