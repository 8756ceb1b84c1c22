// SPDX-License-Identifier: Apache-2.0
/**
 * The ledger beside Apache Iceberg, which commits to a table in much the same way, and beside
 * DuckDB, which only writes files. {@link io.tidemark.bench.ledger.Appender} is what a ledger and a
 * table are both seen as; {@link io.tidemark.bench.ledger.CommitSetting} compares them in one
 * setting.
 */
@NullMarked
package io.tidemark.bench.ledger;

import org.jspecify.annotations.NullMarked;
