// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.objects.Register.State;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Editor of a small document that loses neither concurrent changes of other writers nor properties
 * unknown to this one.
 */
record JsonDocumentEditor(LedgerObjects objects, String path) {

  static JsonDocumentEditor of(LedgerObjects objects, String path) {
    return new JsonDocumentEditor(objects, path);
  }

  /** Changes the document, which is created when it is missing. */
  void apply(Consumer<ObjectNode> change) {
    edit(change, true);
  }

  /** Changes the document if there is one. */
  void ifPresent(Consumer<ObjectNode> change) {
    edit(change, false);
  }

  private void edit(Consumer<ObjectNode> change, boolean make) {
    State<ObjectNode> unused =
        objects
            .register(path)
            .update(
                seen -> seen.value().isEmpty() && !make ? Optional.empty() : next(seen, change));
  }

  private Optional<ObjectNode> next(State<ObjectNode> seen, Consumer<ObjectNode> change) {
    ObjectNode after = seen.value().map(ObjectNode::deepCopy).orElseGet(CanonicalJson::object);
    change.accept(after);
    return seen.value().equals(Optional.of(after))
        ? Optional.empty()
        : Optional.of(
            after.put("updated_at", UtcTimestamp.format(objects.store().clock().instant())));
  }
}
