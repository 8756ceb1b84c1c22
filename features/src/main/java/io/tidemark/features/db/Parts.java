// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * How many rows of an answer are fetched at a time. A part is to fit into memory whatever its rows
 * hold, and nobody knows that beforehand; so the first is small, each may have twice as many as the
 * one before it, and no more than fit if all are like the largest so far.
 */
final class Parts {

  private static final int FIRST = 8;
  private static final long MOST_BYTES = 8L << 20;

  private final int most;
  private int size;
  private int seen;
  private long largest = 1;

  /**
   * @param most rows at a time
   */
  Parts(int most) {
    this.most = most;
    this.size = Math.min(FIRST, most);
  }

  /** How many rows the current part has. */
  int size() {
    return size;
  }

  /** Looks at the current row; after the last of its part it says how many come next. */
  void saw(ResultSet row) throws SQLException {
    long bytes = 0;
    for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
      byte[] value = row.getBytes(column); // as it came; nothing is copied
      bytes += value == null ? 0 : value.length;
    }
    largest = Math.max(largest, bytes);
    if (++seen == size) {
      seen = 0;
      size = (int) Math.max(1, Math.min(Math.min(most, 2L * size), MOST_BYTES / largest));
      row.setFetchSize(size);
    }
  }
}
