// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.Claim;
import io.tidemark.objects.ETag;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.Optional;

/**
 * Claim with its stored version.
 *
 * @param json the whole document, which keeps the fields of other programs
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
   * Writes a claim over an existing document.
   *
   * @param writeId unique id of the write, by which its writer recognizes it
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

  /** Returns a claim with the mark that its dead letter is written and announced. */
  static ObjectNode markComplete(ObjectNode json) {
    return json.deepCopy().put(COMPLETE, true);
  }

  /** Returns an empty document, for a claim without fields of other programs. */
  public static ObjectNode empty() {
    return CanonicalJson.object();
  }

  /** Returns the id of the write of this version; empty when another program wrote it. */
  public Optional<String> writeId() {
    return Optional.ofNullable(json.path(WRITE_ID).textValue());
  }

  /** Returns whether the event was given up and its dead letter isn't marked as complete. */
  public boolean isDeadLetterPending() {
    return claim.deadLetteredAt().isPresent() && !json.path(COMPLETE).asBoolean();
  }
}
