// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import static java.util.Objects.requireNonNull;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.WriteResult;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Has what a suite calls {@code from...} as {@code to...}, where the server lets it be. */
public final class KeyMappingBackend extends ForwardingBackend {

  private final Map<String, String> moves = new LinkedHashMap<>();

  public KeyMappingBackend(ObjectBackend wrapped, String from, String to) {
    super(wrapped);
    moves.put(from, to);
  }

  /** The same with something else that is elsewhere. */
  public KeyMappingBackend and(String from, String to) {
    moves.put(from, to);
    return this;
  }

  @Override
  public ReadResult<Content> get(String key, Optional<ETag> known) {
    return super.get(there(key), known);
  }

  @Override
  public Optional<Head> head(String key) {
    return super.head(there(key));
  }

  @Override
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    return super.put(there(key), body, condition, attempt);
  }

  @Override
  public DeleteResult delete(String key, Optional<ETag> expected) {
    return super.delete(there(key), expected);
  }

  @Override
  public Stream<Listing.Entry> list(Listing listing) {
    String after = listing.startAfter();
    return super.list(
            new Listing(
                there(listing.prefix()), after.isEmpty() ? after : there(after), listing.depth()))
        .map(entry -> here(from(listing.prefix()), entry));
  }

  private String there(String key) {
    String from = from(key);
    return moves.get(from) + key.substring(from.length());
  }

  private String from(String key) {
    return moves.keySet().stream()
        .filter(key::startsWith)
        .findFirst()
        .orElseThrow(() -> new AssertionError(key + " isn't below any of " + moves.keySet()));
  }

  private Listing.Entry here(String from, Listing.Entry entry) {
    String name = from + entry.name().substring(requireNonNull(moves.get(from)).length());
    if (!(entry instanceof Listing.Entry.Item item)) {
      return new Listing.Entry.Group(name);
    }
    ObjectInfo info = item.info();
    return new Listing.Entry.Item(
        new ObjectInfo(name, info.etag(), info.size(), info.lastModified()));
  }
}
