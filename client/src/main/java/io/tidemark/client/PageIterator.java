// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Iterator over the items of a listing, which fetches pages as they are needed. */
public final class PageIterator extends AbstractSpliterator<JsonNode> {

  /** Size of a first page: many callers need only a few entries. */
  private static final int FIRST = 100;

  /** Size of other pages. */
  static final int OTHERS = 1000;

  private final Function<ServerRequest, ServerResponse> server;
  private final ServerRequest listing;
  private final Deque<JsonNode> items = new ArrayDeque<>();

  /** Page that follows; empty at the end. */
  private Optional<ServerRequest> next;

  private PageIterator(
      Function<ServerRequest, ServerResponse> server, ServerRequest listing, int first) {
    super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
    this.server = server;
    this.listing = listing;
    this.next = Optional.of(listing.query("limit", String.valueOf(first)));
  }

  /** Returns the items that a request lists, lazily. */
  public static Stream<JsonNode> of(RetryingReader retryingReader, ServerRequest listing) {
    return of(retryingReader::get, listing, FIRST);
  }

  /** Returns the items that a request lists, lazily, in pages of which the first has this size. */
  static Stream<JsonNode> of(
      Function<ServerRequest, ServerResponse> server, ServerRequest listing, int first) {
    return StreamSupport.stream(new PageIterator(server, listing, first), false);
  }

  @Override
  public boolean tryAdvance(Consumer<? super JsonNode> action) {
    while (items.isEmpty() && next.isPresent()) {
      fetch(next.get()); // a page may be empty though others follow
    }
    JsonNode item = items.poll();
    if (item == null) {
      return false;
    }
    action.accept(item);
    return true;
  }

  private void fetch(ServerRequest page) {
    JsonNode json = server.apply(page).orThrow().json();
    json.path("items").forEach(items::add);
    next =
        Optional.ofNullable(json.path("next").textValue())
            .map(cursor -> listing.query("limit", String.valueOf(OTHERS)).query("cursor", cursor));
  }
}
