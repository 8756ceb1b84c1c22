// SPDX-License-Identifier: Apache-2.0
/**
 * Queries of a ledger, beside bare DuckDB on one file that holds what is asked for, and beside
 * Apache Iceberg's Java library. Start with {@link io.tidemark.bench.query.QueryComparison}.
 */
@NullMarked
package io.tidemark.bench.query;

import org.jspecify.annotations.NullMarked;
