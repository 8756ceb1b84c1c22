// SPDX-License-Identifier: Apache-2.0
/**
 * The transaction log: who reads it, who numbers it, and who is told.
 *
 * <p>Start with {@link io.tidemark.features.log.TransactionLog}. The {@link
 * io.tidemark.features.log.Sequencer} gives visible transactions their numbers and moves the heads
 * of collections in the nameservice; a {@link io.tidemark.features.log.Feed} delivers what has a
 * number. The log is written elsewhere: by triggers, in the transactions it tells about.
 */
@NullMarked
package io.tidemark.features.log;

import org.jspecify.annotations.NullMarked;
