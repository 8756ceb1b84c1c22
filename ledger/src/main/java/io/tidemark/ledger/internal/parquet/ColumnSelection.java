// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

/** How much of each row is read. */
public enum ColumnSelection {
  /** Whole rows. */
  ALL,
  /** Rows without their payload, whose JSON is then empty text: a fraction of the bytes. */
  IDENTITY
}
