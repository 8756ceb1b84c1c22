// SPDX-License-Identifier: Apache-2.0
/**
 * Other stores that this one exchanges ledgers with, as git does with remotes: what is there is
 * fetched, what is missing here pulled, what is missing there pushed.
 *
 * <p>Start with {@link io.tidemark.remotes.Remotes}; how a push or a pull ends is an {@link
 * io.tidemark.remotes.transfer.TransferOutcome}. Both are one {@link io.tidemark.remotes.transfer},
 * in two directions. What is remembered of remotes are documents below {@code ns-sync/} in the
 * store of the names.
 */
@NullMarked
package io.tidemark.remotes;

import org.jspecify.annotations.NullMarked;
