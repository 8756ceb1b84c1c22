// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.Interest;
import io.tidemark.events.store.Scope;
import io.tidemark.events.store.UnreadableException;
import io.tidemark.objects.ETag;
import java.util.Optional;

/** Keeps the cursors of handlers. */
record Cursors(Scope scope) {

  /**
   * A cursor and the version it has.
   *
   * @param etag empty when there is no object
   */
  record Kept(Cursor cursor, Optional<ETag> etag) {}

  /** What is known of a handler; nothing when it was never written down, or for other types. */
  Kept read(String handlerId, Interest interest) {
    String key = scope.layout().cursor(handlerId);
    return scope
        .store()
        .get(key)
        .map(
            found ->
                new Kept(
                    parse(found.bytes(), interest).orElse(Cursor.START), Optional.of(found.etag())))
        .orElseGet(() -> new Kept(Cursor.START, Optional.empty()));
  }

  private static Optional<Cursor> parse(byte[] bytes, Interest interest) {
    try {
      return Cursor.read(Scope.parse(bytes), interest);
    } catch (UnreadableException e) {
      return Optional.empty(); // it is written anew
    }
  }

  /** Writes down how far a handler is; empty when somebody else has done so since. */
  Optional<Kept> write(String handlerId, Interest interest, Kept known, Cursor now) {
    Cursor cursor = now.and(known.cursor());
    ObjectNode json = cursor.write(handlerId, interest, scope.now());
    return scope
        .write(scope.layout().cursor(handlerId), known.etag(), json)
        .map(etag -> new Kept(cursor, Optional.of(etag)));
  }
}
