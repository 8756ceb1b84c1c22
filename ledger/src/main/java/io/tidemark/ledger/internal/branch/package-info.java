// SPDX-License-Identifier: Apache-2.0
/**
 * Branches of a ledger: further heads over the same commits, with their creation, drop, comparison
 * and merge.
 *
 * <p>Start with {@link io.tidemark.ledger.internal.branch.BranchStore}, {@link
 * io.tidemark.ledger.internal.branch.Diff} and {@link
 * io.tidemark.ledger.internal.branch.BranchMerge}. Where a branch has its own objects is the
 * business of {@link io.tidemark.ledger.internal.store.LedgerObjects}.
 */
@NullMarked
package io.tidemark.ledger.internal.branch;

import org.jspecify.annotations.NullMarked;
