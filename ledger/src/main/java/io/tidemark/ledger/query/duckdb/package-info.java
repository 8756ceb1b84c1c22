// SPDX-License-Identifier: Apache-2.0
/**
 * Answers queries by DuckDB, in this process.
 *
 * <p>{@link io.tidemark.ledger.query.duckdb.SqlCompiler} makes SQL of a plan. Where the rows are it
 * is told by {@link io.tidemark.ledger.query.duckdb.Relations}; those of {@link
 * io.tidemark.ledger.query.duckdb.ParquetRelations} are local copies of a ledger's files. All text
 * of users goes through {@link io.tidemark.ledger.query.duckdb.SqlText}.
 */
@NullMarked
package io.tidemark.ledger.query.duckdb;

import org.jspecify.annotations.NullMarked;
