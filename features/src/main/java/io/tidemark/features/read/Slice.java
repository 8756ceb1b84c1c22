// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.read;

import java.util.List;
import java.util.Optional;

/**
 * Part of an ordered list.
 *
 * @param items in that order
 * @param next where to go on; empty at the end
 */
public record Slice<T>(List<T> items, Optional<String> next) {
  public Slice {
    items = List.copyOf(items);
  }
}
