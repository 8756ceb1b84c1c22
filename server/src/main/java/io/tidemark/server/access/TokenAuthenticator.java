// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.TidemarkException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticator of the tokens in a file, which is checked for changes. While the file is malformed,
 * the tokens of its last valid version stay valid, so that a typo doesn't lock out all callers.
 * Once the file is missing, no token is valid.
 */
final class TokenAuthenticator implements AccessControl.Authenticator {

  private static final Logger LOG = LoggerFactory.getLogger(TokenAuthenticator.class);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final TokenFile file;
  private final Clock clock;
  private final MonotonicTime time;
  private volatile Snapshot snapshot;

  /** Tokens of the file, with the stamp of that version and the time of the last check. */
  private record Snapshot(Map<String, TokenRecord> byId, Object stamp, long looked) {}

  /**
   * Creates an authenticator and reads the tokens of a file.
   *
   * @param jwt whether callers can also authenticate by JWT
   */
  TokenAuthenticator(TokenFile file, boolean jwt, Clock clock, MonotonicTime time) {
    this.file = file;
    this.clock = clock;
    this.time = time;
    file.requirePresent(jwt);
    this.snapshot = new Snapshot(byId(file.read()), file.stamp(), time.nanos());
  }

  @Override
  public Optional<Caller> authenticate(String token) {
    return TokenRecord.id(token)
        .map(id -> current().byId.get(id))
        .filter(found -> found.matches(token))
        .filter(found -> found.expires().map(clock.instant()::isBefore).orElse(true))
        .map(found -> Caller.ofToken(found.name(), found.grants()));
  }

  private Snapshot current() {
    Snapshot now = snapshot;
    return time.nanos() - now.looked < LOOK.toNanos() ? now : reload();
  }

  private synchronized Snapshot reload() {
    if (time.nanos() - snapshot.looked < LOOK.toNanos()) {
      return snapshot;
    }
    Snapshot before = snapshot;
    try {
      Object stamp = file.stamp();
      Map<String, TokenRecord> tokens =
          stamp.equals(before.stamp) ? before.byId : byId(file.read());
      snapshot = new Snapshot(tokens, stamp, time.nanos());
    } catch (TidemarkException e) {
      LOG.error("tokens stay as they were: {}", e.getMessage());
      snapshot = new Snapshot(before.byId, before.stamp, time.nanos());
    }
    return snapshot;
  }

  private static Map<String, TokenRecord> byId(List<TokenRecord> tokens) {
    Map<String, TokenRecord> byId = new HashMap<>();
    tokens.forEach(tokenRecord -> byId.put(tokenRecord.id(), tokenRecord));
    return byId;
  }
}
