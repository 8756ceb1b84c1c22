// SPDX-License-Identifier: Apache-2.0
/**
 * Names of branches, outboxes of commits, and failures to find or read what a ledger stores.
 *
 * <p>Start with {@link io.tidemark.ledger.store.BranchName}. The objects themselves are internal.
 */
@NullMarked
package io.tidemark.ledger.store;

import org.jspecify.annotations.NullMarked;
