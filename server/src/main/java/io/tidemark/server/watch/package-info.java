// SPDX-License-Identifier: Apache-2.0
/**
 * Watching over HTTP: any number of watchers at the cost of one look at the store, none of which
 * has a thread or a queue of its own.
 *
 * <p>Start with {@link io.tidemark.server.watch.WatchHub}, which numbers what moves and keeps the
 * last of it; a {@code Watcher} is a place in that and a way to write to one client.
 */
@NullMarked
package io.tidemark.server.watch;

import org.jspecify.annotations.NullMarked;
