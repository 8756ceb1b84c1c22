// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.BusOptions;
import io.tidemark.events.store.Layout.Kind;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.WriteResult;
import io.tidemark.objects.WriteResult.PreconditionFailed;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;

/** The objects of a namespace, in their store, with the time they go by. */
public record Scope(ObjectStore store, Layout layout, BusOptions options) {

  private static final int REFUSALS = 8;

  /** A document and the version it has. */
  public record Document(ObjectNode json, ETag etag) {}

  /** What time it is, to the microsecond, as moments are stored. */
  public Instant now() {
    return store.clock().instant().truncatedTo(ChronoUnit.MICROS);
  }

  public String namespace() {
    return layout.namespace();
  }

  /**
   * Reads a document; empty when there is none.
   *
   * @throws UnreadableException when it is no JSON object
   */
  public Optional<Document> read(String key) throws UnreadableException {
    var found = store.get(key);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new Document(parse(found.get().bytes()), found.get().etag()));
  }

  /**
   * Writes a document if the condition holds. A store may refuse that although it does, when a
   * rival's write was under way that failed in the end; then it is made again.
   */
  public WriteResult write(String key, ObjectNode json, Condition condition) {
    Body body = Body.of(CanonicalJson.write(json));
    for (int i = 0; i < REFUSALS; i++) {
      WriteResult result = store.put(key, body, condition);
      if (!(result instanceof PreconditionFailed failed) || !condition.holds(failed.current())) {
        return result;
      }
    }
    throw new StoreUnavailableException(
        "the write to " + key + " in " + store + " is refused again and again without a reason");
  }

  /** The objects whose keys start so and come after another; the caller closes the stream. */
  public Stream<ObjectInfo> list(String prefix, String after) {
    Listing listing = new Listing(prefix, after, Listing.Depth.ALL);
    return store.list(listing).map(entry -> ((Listing.Entry.Item) entry).info());
  }

  /** All objects of a kind; the caller closes the stream. */
  public Stream<ObjectInfo> list(Kind kind) {
    return store.list(layout.folder(kind));
  }

  /** Reads a JSON object. */
  public static ObjectNode parse(byte[] bytes) throws UnreadableException {
    try {
      JsonNode node = CanonicalJson.parse(bytes);
      if (node instanceof ObjectNode object) {
        return object;
      }
      throw new UnreadableException("isn't a JSON object");
    } catch (IOException e) {
      throw new UnreadableException("is no JSON: " + e.getMessage());
    }
  }
}
