// SPDX-License-Identifier: Apache-2.0
/**
 * Routes of ledgers, for clients that don't access the objects directly: types, commits, queries,
 * SQL, branches, import and export.
 *
 * <p>Start with {@link io.tidemark.server.ledgers.LedgerRoutes}, which has all the others, and
 * {@link io.tidemark.embed.ledger.LedgerCache}, which keeps ledgers open between requests. The
 * ledger itself is in {@code io.tidemark.ledger}, and its JSON documents are in {@code view} there.
 */
@NullMarked
package io.tidemark.server.ledgers;

import org.jspecify.annotations.NullMarked;
