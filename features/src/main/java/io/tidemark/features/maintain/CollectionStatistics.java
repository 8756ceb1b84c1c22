// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Statistics of a collection.
 *
 * @param features number of features
 * @param byteSize the size of the longest, as text, without its geometry
 * @param compressedSize the size of the largest as PostgreSQL stores it; only long values are
 *     compressed, and short ones take more than their text
 * @param byQrid number of features in each part of the world, by the beginning of their qrid; empty
 *     unless the collection asks for it
 */
public record CollectionStatistics(
    long features, long byteSize, long compressedSize, Map<String, Long> byQrid) {

  public CollectionStatistics {
    byQrid = Collections.unmodifiableMap(new TreeMap<>(byQrid));
  }
}
