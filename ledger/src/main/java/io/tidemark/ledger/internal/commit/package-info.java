// SPDX-License-Identifier: Apache-2.0
/**
 * Protocol by which a change becomes a commit.
 *
 * <p>Start with {@link io.tidemark.ledger.internal.commit.CommitProtocol}, which makes a {@link
 * io.tidemark.ledger.internal.commit.Proposal} real, once and whole or not at all. {@link
 * io.tidemark.ledger.internal.state.TypeState} knows what a type looks like now; {@link
 * io.tidemark.ledger.internal.commit.PostCommitWorker} does what may lag behind a commit.
 */
@NullMarked
package io.tidemark.ledger.internal.commit;

import org.jspecify.annotations.NullMarked;
