// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.maintain;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was measured of a collection.
 *
 * @param features how many it has
 * @param byteSize the size of the longest, as text, without its geometry
 * @param compressedSize the size of the largest as PostgreSQL stores it; only what is long is
 *     compressed, and what is short takes more than its text has
 * @param byQrid how many features each part of the world has, by the beginning of their qrid; empty
 *     unless the collection asks for it
 */
public record CollectionStatistics(
    long features, long byteSize, long compressedSize, Map<String, Long> byQrid) {

  public CollectionStatistics {
    byQrid = Collections.unmodifiableMap(new TreeMap<>(byQrid));
  }
}
