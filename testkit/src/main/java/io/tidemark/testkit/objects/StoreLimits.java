// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import io.tidemark.objects.ObjectKeys;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the place a contract suite runs at can't do, so that the suite leaves it out. Meant for test
 * servers with known gaps; none of Tidemark's own stores has any.
 *
 * @param keyBytes the longest key; less than {@link ObjectKeys#MAX_BYTES} when the place puts a
 *     prefix before it
 * @param segmentBytes the longest part of a key between two {@code /}
 * @param gaps what else is missing
 */
public record StoreLimits(int keyBytes, int segmentBytes, Set<Gap> gaps) {

  /** Something a test server gets wrong. */
  public enum Gap {
    /** {@code a} and {@code a/b} can't both be keys. */
    KEYS_BELOW_KEYS,
    /** Keys beyond ASCII come in another order than that of their bytes. */
    ORDER_BEYOND_ASCII
  }

  public StoreLimits {
    gaps = Set.copyOf(gaps);
  }

  /** Every key that {@link ObjectKeys} allows. */
  public static StoreLimits none() {
    return new StoreLimits(ObjectKeys.MAX_BYTES, ObjectKeys.MAX_BYTES, Set.of());
  }

  /** The same with shorter keys. */
  public StoreLimits withKeyBytes(int bytes) {
    return new StoreLimits(bytes, Math.min(segmentBytes, bytes), gaps);
  }

  /** The same with shorter segments. */
  public StoreLimits withSegmentBytes(int bytes) {
    return new StoreLimits(keyBytes, bytes, gaps);
  }

  /** The same with one more gap. */
  public StoreLimits with(Gap gap) {
    Set<Gap> more = EnumSet.of(gap);
    more.addAll(gaps);
    return new StoreLimits(keyBytes, segmentBytes, more);
  }

  /** Those of the keys that the place takes together. */
  List<String> storable(List<String> keys) {
    return keys.stream()
        .filter(key -> bytes(key) <= keyBytes)
        .filter(key -> Stream.of(key.split("/")).allMatch(part -> bytes(part) <= segmentBytes))
        .filter(key -> !gaps.contains(Gap.KEYS_BELOW_KEYS) || !isBelowAny(key, keys))
        .toList();
  }

  /** Those of the keys that the place takes together and lists in order. */
  List<String> sortable(List<String> keys) {
    return storable(keys).stream()
        .filter(key -> !gaps.contains(Gap.ORDER_BEYOND_ASCII) || bytes(key) == key.length())
        .toList();
  }

  private static boolean isBelowAny(String key, List<String> keys) {
    return keys.stream().anyMatch(other -> key.startsWith(other + "/"));
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
