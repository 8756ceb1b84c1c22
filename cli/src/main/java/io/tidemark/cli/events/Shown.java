// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.Claim;
import io.tidemark.events.DeadLetter;
import io.tidemark.events.Event;
import io.tidemark.objects.UtcTimestamp;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Events, claims and dead letters as people and programs see them. */
final class Shown {

  /** Of a payload or an error in a table; {@code show} and {@code --json} have all of it. */
  private static final int LONGEST = 100;

  private Shown() {}

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** An event, with the fields it has in the store. */
  static ObjectNode json(Event event) {
    ObjectNode json = object().put("id", event.id()).put("namespace", event.namespace());
    json.put("type", event.type()).set("payload", event.payloadTree());
    return json.put("created_at", time(event.createdAt()))
        .put("priority", event.priority())
        .put("root_event_id", event.rootEventId())
        .put("chain_depth", event.chainDepth());
  }

  static JsonNode json(Optional<Event> event) {
    return event.<JsonNode>map(Shown::json).orElseGet(JsonNodeFactory.instance::nullNode);
  }

  /** A claim, with the fields it has in the store. */
  static ObjectNode json(Claim claim) {
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

  /** A dead letter, with what it keeps of its event; see {@link Event} for that. */
  static ObjectNode json(DeadLetter letter) {
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

  static String time(Instant moment) {
    return UtcTimestamp.format(moment);
  }

  private static @Nullable String time(Optional<Instant> moment) {
    return moment.map(UtcTimestamp::format).orElse(null);
  }

  /** A text that fits into a table. */
  static String brief(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST - 3) + "..." : text;
  }

  /** How far a handler is, in words. */
  static String state(Claim claim, Instant now) {
    if (claim.deadLetteredAt().isPresent()) {
      return "given up at " + time(claim.deadLetteredAt().get());
    }
    if (claim.ackAt().isPresent()) {
      return "acknowledged at " + time(claim.ackAt().get());
    }
    if (claim.isHeldAt(now)) {
      return "claimed until " + time(claim.leaseUntil());
    }
    return claim.dueAt().isAfter(now) ? "to be tried at " + time(claim.dueAt()) : "to be tried";
  }

  /** {@code 1 event}, {@code 2 events}. */
  static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
