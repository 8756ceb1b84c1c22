// SPDX-License-Identifier: Apache-2.0
/**
 * Answers queries by DuckDB, in this process.
 *
 * <p>{@link io.tidemark.ledger.internal.duckdb.SqlCompiler} makes SQL of a plan. Where the rows are
 * it is told by {@link io.tidemark.ledger.internal.duckdb.Relations}; those of {@link
 * io.tidemark.ledger.internal.duckdb.ParquetRelations} are local copies of a ledger's files. All
 * text of users goes through {@link io.tidemark.ledger.internal.duckdb.SqlText}.
 */
@NullMarked
package io.tidemark.ledger.internal.duckdb;

import org.jspecify.annotations.NullMarked;
