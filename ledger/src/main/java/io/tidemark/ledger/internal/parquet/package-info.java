// SPDX-License-Identifier: Apache-2.0
/**
 * Rows in Parquet files: the columns, the bytes, and nothing of where files are kept.
 *
 * <p>Start with {@link io.tidemark.ledger.internal.parquet.RowWriter} and {@link
 * io.tidemark.ledger.internal.parquet.RowReader}. {@link
 * io.tidemark.ledger.internal.parquet.TypedColumns} says which fields have a column of their own
 * beside the JSON of the whole payload.
 *
 * <p>Values are encoded and decoded by parquet-column; the pages and the footer around them are put
 * together here. The library's own file layer isn't used: a writer on it can't be compiled, nor a
 * file be opened for reading, without Hadoop's classes.
 */
@NullMarked
package io.tidemark.ledger.internal.parquet;

import org.jspecify.annotations.NullMarked;
