// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.SessionInfo;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.time.Instant;
import java.util.function.Predicate;

/** JSON of sessions. */
public final class SessionJson {

  private static final String METADATA = "metadata";
  private static final String HEARTBEAT = "last_heartbeat";

  private SessionJson() {}

  public static ObjectNode begin(
      String sessionId, String namespace, ObjectNode metadata, Instant now) {
    ObjectNode json =
        CanonicalJson.object().put("session_id", sessionId).put("namespace", namespace);
    json.set(METADATA, metadata.deepCopy());
    JsonFields.put(json, "started_at", now);
    JsonFields.put(json, HEARTBEAT, now);
    return json;
  }

  /** Returns a session with its heartbeat set to now. */
  public static ObjectNode heartbeat(ObjectNode json, Instant now) {
    ObjectNode beaten = json.deepCopy();
    JsonFields.put(beaten, HEARTBEAT, now);
    return beaten;
  }

  /** Returns the time of the last heartbeat of a session. */
  public static Instant lastHeartbeat(ObjectNode json) throws UnreadableDocumentException {
    return new JsonFields(json).moment(HEARTBEAT);
  }

  /** Reads a session. */
  public static SessionInfo read(ObjectNode json, Predicate<Instant> isDead)
      throws UnreadableDocumentException {
    JsonFields jsonFields = new JsonFields(json);
    Instant heard = jsonFields.moment(HEARTBEAT);
    return new SessionInfo(
        jsonFields.text("session_id"),
        jsonFields.text("namespace"),
        jsonFields.moment("started_at"),
        heard,
        json.path(METADATA) instanceof ObjectNode metadata ? metadata : CanonicalJson.object(),
        isDead.test(heard));
  }
}
