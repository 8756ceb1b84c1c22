// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.store.NamespaceStore;
import io.tidemark.events.store.UnreadableDocumentException;
import io.tidemark.objects.ETag;
import java.util.Optional;

/** Store of the cursors of handlers. */
record CursorStore(NamespaceStore scope) {

  /**
   * Cursor with its stored version.
   *
   * @param etag empty when there is no object
   */
  record StoredCursor(HandlerCursor cursor, Optional<ETag> etag) {}

  /**
   * Reads the cursor of a handler; the empty cursor when none is stored, or it is for other types.
   */
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
      return Optional.empty(); // the next write replaces it
    }
  }

  /** Writes the cursor of a handler; empty when another process has written it since. */
  Optional<StoredCursor> write(
      String handlerId, EventTypeFilter eventTypeFilter, StoredCursor known, HandlerCursor now) {
    HandlerCursor handlerCursor = now.intersect(known.cursor());
    ObjectNode json = handlerCursor.write(handlerId, eventTypeFilter, scope.now());
    return scope
        .write(scope.layout().cursor(handlerId), known.etag(), json)
        .map(etag -> new StoredCursor(handlerCursor, Optional.of(etag)));
  }
}
