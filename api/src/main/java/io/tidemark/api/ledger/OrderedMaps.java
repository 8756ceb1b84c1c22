// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Immutable copies of maps that keep their order, which {@link Map#copyOf} doesn't. */
final class OrderedMaps {

  private OrderedMaps() {}

  static <K, V> Map<K, V> copyOf(Map<K, V> map) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }
}
