// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.EventBus;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.EventIds;
import io.tidemark.events.model.InvalidEventPayloadException;
import io.tidemark.events.model.NewEvent;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.Ledger;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;

/**
 * Source of an event of the type {@value #TYPE} for each commit of a ledger, at least once and in
 * order. The event has the name of the ledger, {@code commit_id}, {@code created_at}, the types it
 * touched ({@code entity:Customer}), the number of rows it wrote ({@code operations}) and its
 * {@code metadata}. The ledger's log has the changes themselves.
 *
 * <p>The id of the event is derived from the ledger's name and the commit, so any number of
 * followers of that name publish one event. The object {@code sources/NAMESPACE/NAME.json} of the
 * bus holds their position. A ledger or branch that was created anew in the same place is published
 * from its beginning.
 */
public final class CommitEventSource implements EventSource {

  public static final String TYPE = "ledger.committed";

  private final Namespace namespace;
  private final String name;
  private final CommitFollower walk;

  /**
   * Follows a ledger from the stored position of its followers of this name.
   *
   * @param name name of the ledger and its branch in the events
   * @param startPosition where to begin when no follower has stored a position
   */
  public CommitEventSource(
      EventBus bus, Namespace namespace, Ledger ledger, String name, StartPosition startPosition) {
    this.namespace = namespace;
    this.name = name;
    PositionStore position = PositionStore.forSource(bus, namespace, "commits." + name);
    this.walk = new CommitFollower(position, ledger, startPosition);
  }

  @Override
  public int poll() {
    return walk.run(this::publish);
  }

  private int publish(Commit commit) {
    ObjectNode payload = payload(commit);
    try {
      SourcePublisher.publish(namespace, event(commit, payload));
    } catch (InvalidEventPayloadException e) { // too large, of which only the metadata can be
      payload.remove("metadata");
      SourcePublisher.publish(namespace, event(commit, payload.put("metadata_left_out", true)));
    }
    return 1;
  }

  private NewEvent event(Commit commit, ObjectNode payload) {
    String id = EventIds.of(TYPE, name, Long.toString(commit.id()), commit.path());
    return NewEvent.of(TYPE, payload).withId(id).at(commit.createdAt());
  }

  private ObjectNode payload(Commit commit) {
    ObjectNode payload =
        CanonicalJson.object()
            .put("ledger", name)
            .put("commit_id", commit.id())
            .put("created_at", UtcTimestamp.format(commit.createdAt()))
            .put("operations", commit.operations());
    ArrayNode types = payload.putArray("types");
    commit.types().forEach(type -> types.add(type.toString()));
    payload.set("metadata", commit.metadata());
    return payload;
  }

  /** Does nothing, as the position is stored already. */
  @Override
  public void close() {}
}
