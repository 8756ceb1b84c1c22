// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Part of a listing.
 *
 * @param items entries in the order of the listing
 * @param next cursor of the next page; empty on the last one
 * @param <T> type of an entry
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record Page<T>(List<T> items, Optional<String> next) {

  public Page {
    items = List.copyOf(items);
  }

  /** Returns a page with each entry mapped. */
  public <R> Page<R> map(Function<? super T, ? extends R> mapping) {
    return new Page<>(items.stream().<R>map(mapping).toList(), next);
  }
}
