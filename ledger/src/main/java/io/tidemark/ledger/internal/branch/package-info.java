// SPDX-License-Identifier: Apache-2.0
/**
 * Branches of a ledger: second heads over the same commits. How they are made and dropped, how they
 * differ, and how one takes in what was committed on another.
 *
 * <p>Start with {@link io.tidemark.ledger.internal.branch.BranchStore}, {@link
 * io.tidemark.ledger.internal.branch.Diff} and {@link
 * io.tidemark.ledger.internal.branch.BranchMerge}. Where a branch has its own objects is the
 * business of {@link io.tidemark.ledger.internal.store.LedgerObjects}.
 */
@NullMarked
package io.tidemark.ledger.internal.branch;

import org.jspecify.annotations.NullMarked;
