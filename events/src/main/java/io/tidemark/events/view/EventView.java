// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.Delivery;
import io.tidemark.events.model.Claim;
import io.tidemark.events.model.CleanupReport;
import io.tidemark.events.model.DeadLetter;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.Inspection;
import io.tidemark.events.model.ListedEvent;
import io.tidemark.events.model.NamespaceInfo;
import io.tidemark.events.model.Publication;
import io.tidemark.events.model.SessionInfo;
import io.tidemark.objects.UtcTimestamp;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How programs see events, claims, dead letters and sessions. */
public final class EventView {

  private EventView() {}

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** An event, with the fields it has in the store. */
  public static ObjectNode json(Event event) {
    ObjectNode json = object().put("id", event.id()).put("namespace", event.namespace());
    json.put("type", event.type()).set("payload", event.payloadTree());
    return json.put("created_at", time(event.createdAt()))
        .put("priority", event.priority())
        .put("root_event_id", event.rootEventId())
        .put("chain_depth", event.chainDepth());
  }

  private static JsonNode json(Optional<Event> event) {
    return event.<JsonNode>map(EventView::json).orElseGet(JsonNodeFactory.instance::nullNode);
  }

  /** A publication: the event, and whether this was the first. */
  public static ObjectNode json(Publication publication) {
    boolean published = publication instanceof Publication.Published;
    return json(publication.event()).put("published", published);
  }

  /** An event of a listing, which may be unreadable. */
  public static ObjectNode json(String namespace, ListedEvent listed) {
    ObjectNode json =
        listed
            .event()
            .map(EventView::json)
            .orElseGet(
                () ->
                    object()
                        .put("id", listed.id())
                        .put("namespace", namespace)
                        .put("created_at", time(listed.createdAt()))
                        .put("unreadable", true));
    return json.put("status", listed.status().word());
  }

  /** A claim, with the fields it has in the store. */
  public static ObjectNode json(Claim claim) {
    return object()
        .put("event_id", claim.eventId())
        .put("handler_id", claim.handlerId())
        .put("session_id", claim.sessionId())
        .put("claimed_at", time(claim.claimedAt()))
        .put("lease_until", time(claim.leaseUntil()))
        .put("ack_at", time(claim.ackAt()))
        .put("attempts", claim.attempts())
        .put("lease_expiries", claim.leaseExpiries())
        .put("available_at", time(claim.availableAt()))
        .put("last_error", claim.lastError().orElse(null))
        .put("dead_lettered_at", time(claim.deadLetteredAt()));
  }

  /** A dead letter, with what it keeps of its event. */
  public static ObjectNode json(DeadLetter letter) {
    ObjectNode json =
        object()
            .put("event_id", letter.eventId())
            .put("handler_id", letter.handlerId())
            .put("namespace", letter.namespace())
            .put("failed_at", time(letter.failedAt()))
            .put("attempts", letter.attempts())
            .put("last_error", letter.lastError())
            .put("event_type", letter.event().map(Event::type).orElse(null));
    json.set("event", json(letter.event()));
    return json.put("raw", letter.raw().orElse(null));
  }

  /** What a handler is handed. */
  public static ObjectNode json(Delivery delivery) {
    ObjectNode json =
        object()
            .put("event_id", delivery.event().id())
            .put("handler_id", delivery.handlerId())
            .put("session_id", delivery.sessionId())
            .put("attempt", delivery.attempt())
            .put("lease_until", time(delivery.leaseUntil()))
            .put("idempotency_key", delivery.idempotencyKey());
    json.set("event", json(delivery.event()));
    return json;
  }

  /** All that is stored about an event. */
  public static ObjectNode json(Inspection found) {
    ObjectNode json =
        object().put("event_id", found.eventId()).put("status", found.status().word());
    json.set("event", json(found.event()));
    ArrayNode claims = json.putArray("claims");
    found.claims().forEach(claim -> claims.add(json(claim)));
    ArrayNode letters = json.putArray("dead_letters");
    found.deadLetters().forEach(letter -> letters.add(json(letter)));
    return json;
  }

  /** That an event was published again. */
  public static ObjectNode replayed(String id, Event again) {
    return object()
        .put("replayed_event_id", id)
        .put("new_event_id", again.id())
        .put("namespace", again.namespace());
  }

  /** A process that works on events, or did. */
  public static ObjectNode json(SessionInfo session) {
    ObjectNode json =
        object()
            .put("session_id", session.sessionId())
            .put("namespace", session.namespace())
            .put("started_at", time(session.startedAt()))
            .put("last_heartbeat", time(session.lastHeartbeat()))
            .put("is_dead", session.dead());
    json.set("metadata", session.metadata());
    return json;
  }

  /** A part of the bus. */
  public static ObjectNode json(NamespaceInfo namespace) {
    return object()
        .put("namespace", namespace.namespace())
        .put("pending_events", namespace.pendingEvents())
        .put("active_sessions", namespace.activeSessions())
        .put("dead_sessions", namespace.deadSessions())
        .put("dead_letters", namespace.deadLetters());
  }

  /** What a cleanup has done. */
  public static ObjectNode json(String namespace, Instant before, CleanupReport done) {
    return object()
        .put("namespace", namespace)
        .put("before", time(before))
        .put("deleted", done.events())
        .put("claims", done.claims())
        .put("dead_letters", done.deadLetters())
        .put("sessions", done.sessions())
        .put("kept", done.kept());
  }

  private static String time(Instant moment) {
    return UtcTimestamp.format(moment);
  }

  private static @Nullable String time(Optional<Instant> moment) {
    return moment.map(UtcTimestamp::format).orElse(null);
  }
}
