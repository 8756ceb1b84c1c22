// SPDX-License-Identifier: Apache-2.0
/**
 * State of a ledger's types at a pinned head, read from the files of its commits.
 *
 * <p>Start with {@link io.tidemark.ledger.internal.state.PinnedHead}, the head that a reader or a
 * writer is pinned to, and {@link io.tidemark.ledger.internal.state.LatestRows}, which reads the
 * last version of each identity. Nothing here writes objects: the {@code commit} package builds on
 * this one.
 */
@NullMarked
package io.tidemark.ledger.internal.state;

import org.jspecify.annotations.NullMarked;
