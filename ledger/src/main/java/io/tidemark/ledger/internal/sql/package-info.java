// SPDX-License-Identifier: Apache-2.0
/**
 * SQL that people write, run where it can do no harm.
 *
 * <p>Two walls stand one behind the other. {@link io.tidemark.ledger.internal.sql.CheckedSql} has
 * DuckDB parse the text and looks at the tree: one SELECT on views of the ledger, and functions
 * that look at nothing but their arguments. {@link io.tidemark.ledger.internal.sql.Sandbox} is a
 * DuckDB of the statement's own, which can open only the files of the views, and whose settings are
 * locked before the text is run.
 *
 * <p>A single call of a function may still take more than a statement's limits. So a {@link
 * io.tidemark.ledger.internal.sql.SqlRunner} runs statements in this process or, with {@link
 * io.tidemark.ledger.internal.sql.SqlProcessPool}, in processes that the system limits and that can
 * be killed.
 */
@NullMarked
package io.tidemark.ledger.internal.sql;

import org.jspecify.annotations.NullMarked;
