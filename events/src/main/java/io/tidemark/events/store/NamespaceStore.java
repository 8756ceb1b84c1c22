// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.BusOptions;
import io.tidemark.events.store.NamespaceKeys.Kind;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Register;
import io.tidemark.objects.Register.State;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;

/** Documents of a namespace, with their store, layout and clock. */
public record NamespaceStore(ObjectStore store, NamespaceKeys layout, BusOptions options) {

  private static final Register.Format<ObjectNode> JSON =
      Register.Format.of(found -> Optional.empty(), CanonicalJson::write);

  /** Document with its stored version. */
  public record Document(ObjectNode json, ETag etag) {}

  /** Returns the current time, to the microsecond, as times are stored. */
  public Instant now() {
    return store.clock().instant().truncatedTo(ChronoUnit.MICROS);
  }

  public String namespace() {
    return layout.namespace();
  }

  /**
   * Reads a document; empty when there is none.
   *
   * @throws UnreadableDocumentException when it is no JSON object
   */
  public Optional<Document> read(String key) throws UnreadableDocumentException {
    var found = store.get(key);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new Document(parse(found.get().bytes()), found.get().etag()));
  }

  /**
   * Writes a document.
   *
   * @param expected version that it replaces; empty to create it
   * @return the new version; empty when another version is there
   */
  public Optional<ETag> write(String key, Optional<ETag> expected, ObjectNode json) {
    return store
        .register(key, JSON)
        .write(new State<>(expected, Optional.empty()), json)
        .flatMap(State::version);
  }

  /** Lists the objects with a key prefix after another key; the caller closes the stream. */
  public Stream<ObjectInfo> list(String prefix, String after) {
    Listing listing = new Listing(prefix, after, Listing.Depth.ALL);
    return store.list(listing).map(entry -> ((Listing.Entry.Item) entry).info());
  }

  /** Lists all objects of a kind; the caller closes the stream. */
  public Stream<ObjectInfo> list(Kind kind) {
    return store.list(layout.folder(kind));
  }

  /** Parses a JSON object. */
  public static ObjectNode parse(byte[] bytes) throws UnreadableDocumentException {
    try {
      JsonNode node = CanonicalJson.parse(bytes);
      if (node instanceof ObjectNode object) {
        return object;
      }
      throw new UnreadableDocumentException("isn't a JSON object");
    } catch (IOException e) {
      throw new UnreadableDocumentException("is no JSON: " + e.getMessage());
    }
  }
}
