// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import java.sql.SQLException;

/** Rows of an answer, one after the other. Columns are counted from 1. */
interface ResultRows extends AutoCloseable {

  /** Moves to the next row, if there is one. */
  boolean next() throws SQLException;

  /** Returns a number, or 0 for null. */
  long number(int column) throws SQLException;

  boolean isNull(int column) throws SQLException;

  /** Returns a text, or empty text for null. */
  String text(int column) throws SQLException;

  @Override
  void close() throws SQLException;
}
