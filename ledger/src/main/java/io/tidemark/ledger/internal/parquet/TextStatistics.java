// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import java.util.Arrays;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.io.api.Binary;

/**
 * Statistics of the first and the last text. Kept here because the library makes objects for each
 * value; and kept where they are, since in rows that are in order every text is the last so far.
 */
final class TextStatistics {

  private boolean any;
  private byte[] first = {};
  private int firstFrom;
  private int firstTo;
  private byte[] last = {};
  private int lastFrom;
  private int lastTo;

  /**
   * Includes a text.
   *
   * @param bytes not to be changed any more
   */
  void update(byte[] bytes, int from, int to) {
    boolean isLast = !any || Arrays.compareUnsigned(bytes, from, to, last, lastFrom, lastTo) > 0;
    if (isLast) {
      last = bytes;
      lastFrom = from;
      lastTo = to;
    }
    boolean isFirst =
        !any || (!isLast && Arrays.compareUnsigned(bytes, from, to, first, firstFrom, firstTo) < 0);
    if (isFirst) {
      first = bytes;
      firstFrom = from;
      firstTo = to;
    }
    any = true;
  }

  void writeTo(Statistics<?> statistics) {
    if (any) {
      statistics.updateStats(
          Binary.fromConstantByteArray(Arrays.copyOfRange(first, firstFrom, firstTo)));
      statistics.updateStats(
          Binary.fromConstantByteArray(Arrays.copyOfRange(last, lastFrom, lastTo)));
    }
  }
}
