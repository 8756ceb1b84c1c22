// SPDX-License-Identifier: Apache-2.0
/**
 * Ledgers over HTTP, for programs that don't read and write the objects themselves: types, commits,
 * queries, SQL, branches, import and export.
 *
 * <p>Start with {@link io.tidemark.server.ledgers.LedgerRoutes}, which has all the others, and
 * {@link io.tidemark.embed.ledger.LedgerCache}, which keeps ledgers open from one request to the
 * next. What a ledger does is in {@code io.tidemark.ledger}, and what it tells as JSON in its
 * {@code view}.
 */
@NullMarked
package io.tidemark.server.ledgers;

import org.jspecify.annotations.NullMarked;
