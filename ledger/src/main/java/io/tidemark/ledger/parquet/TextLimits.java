// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.parquet;

import java.util.Arrays;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

/**
 * The first and the last of many texts. Kept here because the library makes objects for each value.
 */
final class TextLimits {

  private byte @Nullable [] first;
  private byte @Nullable [] last;

  void see(byte[] bytes, int from, int to) {
    byte[] low = first;
    if (low == null || Arrays.compareUnsigned(bytes, from, to, low, 0, low.length) < 0) {
      first = Arrays.copyOfRange(bytes, from, to);
    }
    byte[] high = last;
    if (high == null || Arrays.compareUnsigned(bytes, from, to, high, 0, high.length) > 0) {
      last = Arrays.copyOfRange(bytes, from, to);
    }
  }

  void tell(Statistics<?> statistics) {
    if (first != null && last != null) {
      statistics.updateStats(Binary.fromConstantByteArray(first));
      statistics.updateStats(Binary.fromConstantByteArray(last));
    }
  }
}
