// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.store.LedgerObjects;
import io.tidemark.objects.Condition;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Changes a small document without losing what others change in it at the same time, or what else
 * they keep in it.
 */
record JsonEdit(LedgerObjects objects, String path) {

  private static final int TRIES = 20;

  static JsonEdit of(LedgerObjects objects, String path) {
    return new JsonEdit(objects, path);
  }

  /** Changes the document, which is made when it isn't there. */
  void apply(Consumer<ObjectNode> change) {
    edit(change, true);
  }

  /** Changes the document if there is one. */
  void ifPresent(Consumer<ObjectNode> change) {
    edit(change, false);
  }

  private void edit(Consumer<ObjectNode> change, boolean make) {
    for (int i = 0; i < TRIES; i++) {
      Optional<LedgerObjects.Document> found = objects.read(path);
      if (found.isEmpty() && !make) {
        return;
      }
      ObjectNode before = found.map(LedgerObjects.Document::json).orElse(CanonicalJson.object());
      ObjectNode after = before.deepCopy();
      change.accept(after);
      if (found.isPresent() && after.equals(before)) {
        return;
      }
      after.put("updated_at", UtcTimestamp.format(objects.store().clock().instant()));
      Condition condition =
          found.map(document -> Condition.ifMatch(document.etag())).orElse(Condition.ifAbsent());
      if (objects.write(path, after, condition).written()) {
        return;
      }
    }
    throw new StoreUnavailableException(
        path
            + " of the ledger in "
            + objects.location()
            + " was changed by others each of "
            + TRIES
            + " times; try again");
  }
}
