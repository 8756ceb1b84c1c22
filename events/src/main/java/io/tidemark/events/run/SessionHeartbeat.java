// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.Sessions;
import io.tidemark.events.model.SessionInfo;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;

/** Heartbeat of a runner's session. For use by one thread at a time. */
final class SessionHeartbeat {
  private final Sessions sessions;
  private final String sessionId;
  private final long interval;
  private final MonotonicTime time;

  private boolean registered;
  private long last;

  SessionHeartbeat(Sessions sessions, String sessionId, Duration interval, MonotonicTime time) {
    this.sessions = sessions;
    this.sessionId = sessionId;
    this.interval = interval.toNanos();
    this.time = time;
  }

  /** Registers the session, or sends a heartbeat if one is due. */
  void beatIfDue() {
    long now = time.nanos();
    if (registered && now - last < interval) {
      return;
    }
    SessionInfo unused =
        registered ? sessions.heartbeat(sessionId) : sessions.register(sessionId, machine());
    registered = true;
    last = now;
  }

  private static ObjectNode machine() {
    return CanonicalJson.object()
        .put("hostname", hostname())
        .put("pid", ProcessHandle.current().pid());
  }

  private static String hostname() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
