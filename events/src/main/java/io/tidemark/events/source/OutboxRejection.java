// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.EventBus;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.EventIds;
import io.tidemark.events.model.InvalidNameException;
import io.tidemark.events.model.NewEvent;
import io.tidemark.ledger.Commit;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.internal.json.CanonicalJson;

/**
 * Event published in place of an outbox document that the bus rejects, with its location and the
 * reason. It goes into the namespace that the document names, or into the default one if that name
 * is invalid.
 *
 * @param index index of the document in the commit's outbox
 */
record OutboxRejection(String ledger, Commit commit, int index) {

  static final String TYPE = "outbox.refused";

  private static final String USUAL_NAMESPACE = "default";

  void publish(EventBus bus, JsonNode document, TidemarkException reason) {
    ObjectNode payload =
        CanonicalJson.object()
            .put("ledger", ledger)
            .put("commit_id", commit.id())
            .put("manifest_path", commit.path())
            .put("index", index)
            .put("reason", reason.getMessage());
    String id = EventIds.of(TYPE, ledger, commit.path(), Integer.toString(index));
    SourcePublisher.publish(
        namespace(bus, document), NewEvent.of(TYPE, payload).withId(id).at(commit.createdAt()));
  }

  private static Namespace namespace(EventBus bus, JsonNode document) {
    try {
      return bus.namespace(document.path("namespace").asText());
    } catch (InvalidNameException e) {
      return bus.namespace(USUAL_NAMESPACE);
    }
  }
}
