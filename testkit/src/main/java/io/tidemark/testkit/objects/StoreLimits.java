// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import io.tidemark.objects.ObjectKeys;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Limits of the place a contract suite runs at, which the suite keeps to.
 *
 * @param keyBytes the longest key; less than {@link ObjectKeys#MAX_BYTES} when the place puts a
 *     prefix before it
 */
public record StoreLimits(int keyBytes) {

  /** Returns the limits of a place that takes every key that {@link ObjectKeys} allows. */
  public static StoreLimits none() {
    return new StoreLimits(ObjectKeys.MAX_BYTES);
  }

  /** Returns those of the keys that the place takes. */
  List<String> storable(List<String> keys) {
    return keys.stream()
        .filter(key -> key.getBytes(StandardCharsets.UTF_8).length <= keyBytes)
        .toList();
  }
}
