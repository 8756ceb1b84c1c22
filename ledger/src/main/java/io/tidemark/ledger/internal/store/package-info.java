// SPDX-License-Identifier: Apache-2.0
/**
 * The objects of a ledger: their keys, what they say, and how a reader finds its way among them.
 *
 * <p>Start with {@link io.tidemark.ledger.internal.store.LedgerLayout}, which knows all keys,
 * {@link io.tidemark.ledger.internal.store.Head}, the one object that moves, and {@link
 * io.tidemark.ledger.internal.store.Manifest}, what a commit says of itself. {@link
 * io.tidemark.ledger.internal.store.ManifestChain} walks from one to all before it; {@link
 * io.tidemark.ledger.internal.store.TypeFileResolver} finds the files of a type.
 */
@NullMarked
package io.tidemark.ledger.internal.store;

import org.jspecify.annotations.NullMarked;
