// SPDX-License-Identifier: Apache-2.0
/**
 * The transaction log: its readers, its numbering and its notifications.
 *
 * <p>Start with {@link io.tidemark.features.log.TransactionLog}. The {@link
 * io.tidemark.features.log.Sequencer} gives visible transactions their numbers and moves the heads
 * of collections in the nameservice; a {@link io.tidemark.features.log.Feed} delivers the numbered
 * transactions. The log is written elsewhere: by triggers, in the transactions that it records.
 */
@NullMarked
package io.tidemark.features.log;

import org.jspecify.annotations.NullMarked;
