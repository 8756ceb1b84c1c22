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
 * The owners of the tokens in a file, which is looked at again and again. While it can't be
 * understood those stay valid that were, so that a slip of an editor doesn't lock everybody out;
 * when it is gone, none is.
 */
final class TokenCallers implements Gate.Callers {

  private static final Logger LOG = LoggerFactory.getLogger(TokenCallers.class);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final TokenFile file;
  private final Clock clock;
  private final MonotonicTime time;
  private volatile Known known;

  /** What was read, and how the file was when it was last looked at. */
  private record Known(Map<String, Token> byId, Object stamp, long looked) {}

  /**
   * Reads the tokens of a file.
   *
   * @param jwt whether callers are let in by JWT too
   */
  TokenCallers(TokenFile file, boolean jwt, Clock clock, MonotonicTime time) {
    this.file = file;
    this.clock = clock;
    this.time = time;
    file.requirePresent(jwt);
    this.known = new Known(byId(file.read()), file.stamp(), time.nanos());
  }

  @Override
  public Optional<Caller> find(String token) {
    return Token.id(token)
        .map(id -> current().byId.get(id))
        .filter(found -> found.is(token))
        .filter(found -> found.expires().map(clock.instant()::isBefore).orElse(true))
        .map(found -> Caller.ofToken(found.name(), found.grants()));
  }

  private Known current() {
    Known now = known;
    return time.nanos() - now.looked < LOOK.toNanos() ? now : look();
  }

  private synchronized Known look() {
    if (time.nanos() - known.looked < LOOK.toNanos()) {
      return known;
    }
    Known before = known;
    try {
      Object stamp = file.stamp();
      Map<String, Token> tokens = stamp.equals(before.stamp) ? before.byId : byId(file.read());
      known = new Known(tokens, stamp, time.nanos());
    } catch (TidemarkException e) {
      LOG.error("tokens stay as they were: {}", e.getMessage());
      known = new Known(before.byId, before.stamp, time.nanos());
    }
    return known;
  }

  private static Map<String, Token> byId(List<Token> tokens) {
    Map<String, Token> byId = new HashMap<>();
    tokens.forEach(token -> byId.put(token.id(), token));
    return byId;
  }
}
