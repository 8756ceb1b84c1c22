// SPDX-License-Identifier: Apache-2.0
/**
 * The threads that all rooms share: one pool that computes, one that waits for requests.
 *
 * <p>{@link io.tidemark.objects.internal.threads.SharedExecutors} has both. Start with {@link
 * io.tidemark.objects.internal.threads.OrderedParallel} for computations, which runs them on all
 * cores and returns their results in order, and {@link
 * io.tidemark.objects.internal.threads.Parallel} for requests. Results never depend on the number
 * of cores.
 */
@NullMarked
package io.tidemark.objects.internal.threads;

import org.jspecify.annotations.NullMarked;
