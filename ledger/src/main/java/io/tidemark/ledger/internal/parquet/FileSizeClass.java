// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

/**
 * The two ways to write a file. Most commits are of a few rows, where dictionaries and compression
 * cost time and make files larger; in files of many rows both pay.
 */
enum FileSizeClass {
  SMALL,
  LARGE
}
