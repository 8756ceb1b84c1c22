// SPDX-License-Identifier: Apache-2.0
/**
 * A copy of a ledger's rows in a DuckDB database on the local disk, so that a query reads tables
 * and not a thousand small files.
 *
 * <p>{@link io.tidemark.ledger.internal.replica.Replica} brings it up to the head that a query is
 * pinned to; {@link io.tidemark.ledger.internal.replica.VersionTableSql} says how rows are kept.
 * Nothing is lost with it: whatever is wrong with it, it is given up, and made anew from the files.
 */
@NullMarked
package io.tidemark.ledger.internal.replica;

import org.jspecify.annotations.NullMarked;
