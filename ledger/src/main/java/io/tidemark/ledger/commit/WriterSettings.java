// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.Retry;
import io.tidemark.objects.lease.LeaseLock;
import java.time.Duration;

/**
 * How a writer behaves.
 *
 * @param runtimeId how it calls itself in heads, manifests and the lock
 * @param leaseTtl for how long it takes the lock each time
 * @param lockTimeout how long it waits for the lock; longer than a lease, unless the death of
 *     another writer is to fail this one
 * @param idleAfter when it gives the lock back after its last commit
 * @param retry how often and how long it tries again after losing the head to another
 */
@RecordBuilder
public record WriterSettings(
    String runtimeId,
    Duration leaseTtl,
    Duration lockTimeout,
    Duration idleAfter,
    Retry retry,
    MonotonicTime time)
    implements WriterSettingsBuilder.With {

  public static WriterSettings standard() {
    return new WriterSettings(
        "unknown-runtime",
        LeaseLock.STANDARD_TTL,
        LeaseLock.STANDARD_TTL.plusSeconds(10),
        Duration.ofMillis(500),
        new Retry(
            Duration.ofSeconds(10),
            Duration.ofMillis(10),
            Duration.ofMillis(500),
            MonotonicTime.system()),
        MonotonicTime.system());
  }
}
