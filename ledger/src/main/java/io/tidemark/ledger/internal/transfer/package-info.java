// SPDX-License-Identifier: Apache-2.0
/**
 * Rows out of a ledger and into one, as lines of JSON.
 *
 * <p>Start with {@link io.tidemark.ledger.internal.transfer.LedgerExport} and {@link
 * io.tidemark.ledger.internal.transfer.LedgerImport}; what a line looks like is said by {@link
 * io.tidemark.ledger.schema.JsonFactCodec}. Neither keeps more rows in memory than a session does.
 */
@NullMarked
package io.tidemark.ledger.internal.transfer;

import org.jspecify.annotations.NullMarked;
