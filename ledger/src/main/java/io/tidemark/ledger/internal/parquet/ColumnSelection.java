// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

/** Part of each row that is read. */
public enum ColumnSelection {
  /** Whole rows. */
  ALL,
  /** Rows without their payload, whose JSON is then empty text: a fraction of the bytes. */
  IDENTITY
}
