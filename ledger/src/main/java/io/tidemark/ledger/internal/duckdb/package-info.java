// SPDX-License-Identifier: Apache-2.0
/**
 * Execution of queries on DuckDB, in this process.
 *
 * <p>{@link io.tidemark.ledger.internal.duckdb.SqlCompiler} makes SQL of a plan. Where the rows are
 * it is told by {@link io.tidemark.ledger.internal.duckdb.SqlRowSource}; those of {@link
 * io.tidemark.ledger.internal.duckdb.ParquetRowSource} are local copies of a ledger's files. All
 * text of users goes through {@link io.tidemark.ledger.internal.duckdb.SqlQuoting}.
 */
@NullMarked
package io.tidemark.ledger.internal.duckdb;

import org.jspecify.annotations.NullMarked;
