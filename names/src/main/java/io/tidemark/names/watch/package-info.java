// SPDX-License-Identifier: Apache-2.0
/**
 * Watching records: a listener is told which concerns of which records moved, in this process and
 * in others, at the cost of one request an interval for a whole store.
 *
 * <p>Start with {@link io.tidemark.names.watch.NameFeed}, which is asked for a {@link
 * io.tidemark.names.watch.Watch}; that hands out {@link io.tidemark.names.watch.NameEvent}s and
 * lists what it promises. {@link io.tidemark.names.watch.WatchCheckpoint} is where a client stands,
 * to go on from later; {@link io.tidemark.names.watch.LocalCopy} keeps values up to date by
 * fetching only what moved. How it is found out what moved is in {@code ChangeDetector}.
 */
@NullMarked
package io.tidemark.names.watch;

import org.jspecify.annotations.NullMarked;
