// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.Retry;
import io.tidemark.objects.lease.LeaseLock;
import java.time.Duration;

/**
 * Settings of a writer.
 *
 * @param runtimeId name of the writer in heads, manifests and the lock
 * @param leaseTtl duration of each lease of the lock
 * @param lockTimeout maximum wait for the lock; longer than a lease, unless the death of another
 *     writer is to fail this one
 * @param idleAfter time after its last commit at which it releases the lock
 * @param retry number and duration of its retries after losing the head to another writer
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
