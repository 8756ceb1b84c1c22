// SPDX-License-Identifier: Apache-2.0
/**
 * Ledgers and their branches by their names: the nameservice says where a ledger's objects are, and
 * is told of each of its commits.
 *
 * <p>Start with {@link io.tidemark.ledger.internal.named.NamedLedgers}.
 */
@NullMarked
package io.tidemark.ledger.internal.named;

import org.jspecify.annotations.NullMarked;
