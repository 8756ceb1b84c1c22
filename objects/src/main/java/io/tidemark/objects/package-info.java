// SPDX-License-Identifier: Apache-2.0
/**
 * Bytes under keys with conditional writes: the floor that every other room stands on.
 *
 * <p>Start with {@link io.tidemark.objects.ObjectStore}, which callers use, and {@link
 * io.tidemark.objects.ObjectBackend}, which a storage technology implements. {@link
 * io.tidemark.objects.Lease} is one writer at a time on top of them.
 *
 * <p>Here live the memory and directory backends, the resolution of writes whose answer was lost,
 * and the lease. What bytes mean (records, manifests, events) lives in the rooms above; S3 lives in
 * {@code io.tidemark.objects.s3}.
 */
@NullMarked
package io.tidemark.objects;

import org.jspecify.annotations.NullMarked;
