// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The items of a listing, page after page as they are asked for. The first page is small, since
 * many who list want to see a few only.
 */
public final class Pages implements Iterator<JsonNode> {

  private static final int FIRST = 100;
  private static final int OTHERS = 1000;

  private final Reads reads;
  private final Request listing;
  private final Deque<JsonNode> items = new ArrayDeque<>();

  /** Where the next page begins; empty at the end. */
  private Optional<String> next = Optional.empty();

  private Pages(Reads reads, Request listing) {
    this.reads = reads;
    this.listing = listing;
  }

  /** What a request lists, lazily. */
  public static Stream<JsonNode> of(Reads reads, Request listing) {
    Pages pages = new Pages(reads, listing);
    return StreamSupport.stream(
        () -> {
          pages.fetch(listing.query("limit", String.valueOf(FIRST)));
          return Spliterators.spliteratorUnknownSize(
              pages, Spliterator.ORDERED | Spliterator.NONNULL);
        },
        Spliterator.ORDERED | Spliterator.NONNULL,
        false);
  }

  private void fetch(Request page) {
    JsonNode json = reads.get(page).orThrow().json();
    json.path("items").forEach(items::add);
    JsonNode token = json.path("next");
    next = token.isTextual() ? Optional.of(token.textValue()) : Optional.empty();
  }

  @Override
  public boolean hasNext() {
    while (items.isEmpty() && next.isPresent()) {
      Request page = listing.query("limit", String.valueOf(OTHERS));
      fetch(page.query("cursor", next.get()));
    }
    return !items.isEmpty();
  }

  @Override
  public JsonNode next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return items.removeFirst();
  }
}
