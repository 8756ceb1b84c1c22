// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.UtcTimestamp;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Queue;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A listing, each page of which is asked for when the one before it is used up. */
final class ListedPages implements Iterator<Listing.Entry> {

  private static final String PAGE = "1000";

  private final Request first;
  private final Function<Request, Answer> server;
  private final Queue<Listing.Entry> page = new ArrayDeque<>();
  private Optional<Request> next;

  private ListedPages(Request first, Function<Request, Answer> server) {
    this.first = first;
    this.server = server;
    this.next = Optional.of(first);
  }

  static Stream<Listing.Entry> stream(Listing listing, Function<Request, Answer> server) {
    Request request =
        Request.get("v1", "objects")
            .query("prefix", listing.prefix())
            .query("limit", PAGE)
            .query("depth", listing.depth() == Listing.Depth.ALL ? "all" : "children");
    if (!listing.startAfter().isEmpty()) {
      request = request.query("after", listing.startAfter());
    }
    int traits = Spliterator.ORDERED | Spliterator.DISTINCT | Spliterator.NONNULL;
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(new ListedPages(request, server), traits), false);
  }

  @Override
  public boolean hasNext() {
    while (page.isEmpty() && next.isPresent()) {
      fetch(next.get()); // a page may be empty though others follow
    }
    return !page.isEmpty();
  }

  @Override
  public Listing.Entry next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return page.remove();
  }

  private void fetch(Request request) {
    JsonNode json = server.apply(request).orThrow().json();
    for (JsonNode item : json.path("items")) {
      page.add(entry(item));
    }
    JsonNode more = json.path("next");
    next =
        more.isTextual() ? Optional.of(first.query("cursor", more.textValue())) : Optional.empty();
  }

  private Listing.Entry entry(JsonNode item) {
    JsonNode group = item.path("group");
    if (group.isTextual()) {
      return new Listing.Entry.Group(group.textValue());
    }
    String key = item.path("key").asText();
    String etag = item.path("etag").asText();
    Optional<Instant> modified = UtcTimestamp.parse(item.path("modified").asText());
    if (key.isEmpty() || etag.isEmpty() || modified.isEmpty()) {
      throw new StoreFailureException(
          first + " was answered as no Tidemark server does; check its address");
    }
    long size = item.path("size").asLong();
    return new Listing.Entry.Item(new ObjectInfo(key, new ETag(etag), size, modified.get()));
  }
}
