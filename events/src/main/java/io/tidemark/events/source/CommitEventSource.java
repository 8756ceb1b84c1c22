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
 * The commits of a ledger as events of the type {@value #TYPE}, each at least once and in their
 * order: with the name of the ledger, {@code commit_id}, {@code created_at}, the types it touched
 * ({@code entity:Customer}), how many rows it wrote ({@code operations}) and its {@code metadata};
 * what it changed can be read in the ledger's log.
 *
 * <p>The id of the event follows from the ledger's name and the commit, so any number of followers
 * of that name make one event of it. An object {@code sources/NAMESPACE/NAME.json} of the bus says
 * how far they are. A ledger that was made anew in its place, or a branch that was, is told from
 * its beginning.
 */
public final class CommitEventSource implements EventSource {

  public static final String TYPE = "ledger.committed";

  private final Namespace namespace;
  private final String name;
  private final CommitFollower walk;

  /**
   * Follows a ledger from where its followers of this name are.
   *
   * @param name of the ledger and its branch, as it is told in the events
   * @param startPosition where to begin when it has had no follower
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

  /** There is nothing to be closed: how far it is has been written down. */
  @Override
  public void close() {}
}
