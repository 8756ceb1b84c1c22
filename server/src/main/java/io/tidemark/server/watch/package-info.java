// SPDX-License-Identifier: Apache-2.0
/**
 * Watching over HTTP: any number of watchers at the cost of one watch of the store; none of them
 * has a thread or a queue of its own.
 *
 * <p>Start with {@link io.tidemark.server.watch.WatchHub}, which numbers events and retains the
 * last of them. A {@code Watcher} combines a position in that history with the means to write to
 * one client.
 */
@NullMarked
package io.tidemark.server.watch;

import org.jspecify.annotations.NullMarked;
