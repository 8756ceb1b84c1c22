// SPDX-License-Identifier: Apache-2.0
/**
 * One writer at a time, by a lease on one object of a store.
 *
 * <p>Start with {@link io.tidemark.objects.lease.LeaseLock}, which is taken, and {@link
 * io.tidemark.objects.lease.Lease}, which is held. A lease keeps writers out of each other's way;
 * it can't by itself keep a paused holder from writing late. What must never happen twice is
 * guarded by a conditional write of its own.
 */
@NullMarked
package io.tidemark.objects.lease;

import org.jspecify.annotations.NullMarked;
