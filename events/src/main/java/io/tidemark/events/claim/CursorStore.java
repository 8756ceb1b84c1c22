// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.store.NamespaceStore;
import io.tidemark.events.store.UnreadableDocumentException;
import io.tidemark.objects.ETag;
import java.util.Optional;

/** Keeps the cursors of handlers. */
record CursorStore(NamespaceStore scope) {

  /**
   * A cursor and the version it has.
   *
   * @param etag empty when there is no object
   */
  record StoredCursor(HandlerCursor cursor, Optional<ETag> etag) {}

  /** What is known of a handler; nothing when it was never written down, or for other types. */
  StoredCursor read(String handlerId, EventTypeFilter eventTypeFilter) {
    String key = scope.layout().cursor(handlerId);
    return scope
        .store()
        .get(key)
        .map(
            found ->
                new StoredCursor(
                    parse(found.bytes(), eventTypeFilter).orElse(HandlerCursor.START),
                    Optional.of(found.etag())))
        .orElseGet(() -> new StoredCursor(HandlerCursor.START, Optional.empty()));
  }

  private static Optional<HandlerCursor> parse(byte[] bytes, EventTypeFilter eventTypeFilter) {
    try {
      return HandlerCursor.read(NamespaceStore.parse(bytes), eventTypeFilter);
    } catch (UnreadableDocumentException e) {
      return Optional.empty(); // it is written anew
    }
  }

  /** Writes down how far a handler is; empty when somebody else has done so since. */
  Optional<StoredCursor> write(
      String handlerId, EventTypeFilter eventTypeFilter, StoredCursor known, HandlerCursor now) {
    HandlerCursor handlerCursor = now.intersect(known.cursor());
    ObjectNode json = handlerCursor.write(handlerId, eventTypeFilter, scope.now());
    return scope
        .write(scope.layout().cursor(handlerId), known.etag(), json)
        .map(etag -> new StoredCursor(handlerCursor, Optional.of(etag)));
  }
}
