// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.Claim;
import io.tidemark.objects.ETag;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.Optional;

/**
 * A version of a claim.
 *
 * @param json all of it, for the sake of what others keep there
 */
public record StoredClaim(Claim claim, ObjectNode json, ETag etag) {

  private static final String WRITE_ID = "write_id";
  private static final String COMPLETE = "dead_letter_complete";

  /** Reads a claim. */
  static Claim read(ObjectNode json) throws UnreadableDocumentException {
    JsonFields jsonFields = new JsonFields(json);
    return new Claim(
        jsonFields.text("event_id"),
        jsonFields.text("handler_id"),
        jsonFields.text("session_id"),
        jsonFields.moment("claimed_at"),
        jsonFields.moment("lease_until"),
        jsonFields.optionalMoment("ack_at"),
        jsonFields.number("attempts", 0),
        jsonFields.number("lease_expiries", 0),
        jsonFields.moment("available_at"),
        jsonFields.optionalText("last_error"),
        jsonFields.optionalMoment("dead_lettered_at"));
  }

  /**
   * Writes a claim over what is there.
   *
   * @param writeId makes it another than any before, and lets whoever wrote it know it again
   */
  static ObjectNode write(Claim claim, ObjectNode over, String writeId) {
    ObjectNode json =
        over.deepCopy()
            .put("event_id", claim.eventId())
            .put("handler_id", claim.handlerId())
            .put("session_id", claim.sessionId())
            .put("attempts", claim.attempts())
            .put("lease_expiries", claim.leaseExpiries())
            .put("last_error", claim.lastError().orElse(null))
            .put(WRITE_ID, writeId);
    JsonFields.put(json, "claimed_at", claim.claimedAt());
    JsonFields.put(json, "lease_until", claim.leaseUntil());
    JsonFields.put(json, "ack_at", claim.ackAt());
    JsonFields.put(json, "available_at", claim.availableAt());
    JsonFields.put(json, "dead_lettered_at", claim.deadLetteredAt());
    return json;
  }

  /** The same with the mark that its dead letter is there and told of. */
  static ObjectNode markComplete(ObjectNode json) {
    return json.deepCopy().put(COMPLETE, true);
  }

  /** Nothing that is kept for others. */
  public static ObjectNode empty() {
    return CanonicalJson.object();
  }

  /** Who wrote this version; empty when another program did. */
  public Optional<String> writeId() {
    return Optional.ofNullable(json.path(WRITE_ID).textValue());
  }

  /** Whether it was given up and nobody is known to have seen to what follows from that. */
  public boolean isDeadLetterPending() {
    return claim.deadLetteredAt().isPresent() && !json.path(COMPLETE).asBoolean();
  }
}
