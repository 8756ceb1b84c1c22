// SPDX-License-Identifier: Apache-2.0
/**
 * Compaction: the rows of many commits in few files, so that readers needn't open a file a commit.
 *
 * <p>Start with {@link io.tidemark.ledger.internal.compact.Compaction}; {@link
 * io.tidemark.ledger.internal.compact.TieredMergePolicy} decides which files are merged, {@link
 * io.tidemark.ledger.internal.compact.ObsoleteSnapshots} which are no longer needed.
 */
@NullMarked
package io.tidemark.ledger.internal.compact;

import org.jspecify.annotations.NullMarked;
