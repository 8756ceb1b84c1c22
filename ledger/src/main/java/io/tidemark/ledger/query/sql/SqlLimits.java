// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.sql;

import java.time.Duration;

/**
 * What a statement may use before it is ended.
 *
 * @param time from when it begins to when the last row is read
 * @param memory such as {@code 1GB}; what is more goes to the disk. Single texts that functions
 *     make aren't counted by DuckDB
 * @param disk how much of the disk, such as {@code 10GB}
 * @param rows how many rows it may answer with
 */
public record SqlLimits(Duration time, String memory, String disk, long rows) {

  public SqlLimits {
    if (time.isNegative() || time.isZero() || rows < 0) {
      throw new IllegalArgumentException(
          "the time has to be more than none, and rows not negative");
    }
  }

  /** A minute, 1 GB, 10 GB of disk, a million rows. */
  public static SqlLimits standard() {
    return new SqlLimits(Duration.ofMinutes(1), "1GB", "10GB", 1_000_000);
  }

  public SqlLimits withTime(Duration other) {
    return new SqlLimits(other, memory, disk, rows);
  }

  public SqlLimits withRows(long other) {
    return new SqlLimits(time, memory, disk, other);
  }
}
