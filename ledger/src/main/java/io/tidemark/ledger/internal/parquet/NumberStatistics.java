// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import org.apache.parquet.column.statistics.Statistics;

/** Statistics of the least and the greatest number, kept as {@link TextStatistics} are. */
final class NumberStatistics {

  private long leastWhole = Long.MAX_VALUE;
  private long greatestWhole = Long.MIN_VALUE;
  private double leastReal = Double.POSITIVE_INFINITY;
  private double greatestReal = Double.NEGATIVE_INFINITY;

  void update(long value) {
    leastWhole = Math.min(leastWhole, value);
    greatestWhole = Math.max(greatestWhole, value);
  }

  /** Includes a number that is finite. */
  void update(double value) {
    leastReal = Math.min(leastReal, value);
    greatestReal = Math.max(greatestReal, value);
  }

  void writeTo(Statistics<?> statistics) {
    if (leastWhole <= greatestWhole) {
      statistics.updateStats(leastWhole);
      statistics.updateStats(greatestWhole);
    }
    if (leastReal <= greatestReal) {
      statistics.updateStats(leastReal);
      statistics.updateStats(greatestReal);
    }
  }
}
