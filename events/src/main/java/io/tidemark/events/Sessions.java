// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Who works on the events of a namespace. For people to see: claims don't depend on it, as each has
 * a lease of its own.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class Sessions {

  Sessions() {}

  /** Begins a session, or begins one anew that was there. */
  public SessionInfo register(String sessionId, ObjectNode metadata) {
    throw new UnsupportedOperationException(sessionId + metadata);
  }

  /** Says that a session is alive; one that isn't there is begun, without metadata. */
  public SessionInfo heartbeat(String sessionId) {
    throw new UnsupportedOperationException(sessionId);
  }

  /** All sessions, by id. */
  public List<SessionInfo> list() {
    throw new UnsupportedOperationException();
  }
}
