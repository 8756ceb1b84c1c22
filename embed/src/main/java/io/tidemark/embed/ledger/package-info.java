// SPDX-License-Identifier: Apache-2.0
/**
 * Ledgers in process. {@link io.tidemark.embed.ledger.EmbeddedLedgers} has the ledgers of a
 * nameservice, {@link io.tidemark.embed.ledger.EmbeddedLedger} is the service of one, and {@link
 * io.tidemark.embed.ledger.LedgerCache} keeps them open.
 */
@NullMarked
package io.tidemark.embed.ledger;

import org.jspecify.annotations.NullMarked;
