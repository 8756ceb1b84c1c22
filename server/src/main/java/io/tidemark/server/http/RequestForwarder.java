// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Headers of requests that this server forwards to another one.
 *
 * <p>The other server authenticates only this one, so the rights of callers are checked here.
 */
public final class RequestForwarder {

  /** Number of servers that have forwarded a request. */
  private static final String HOPS = "Tidemark-Hops";

  private static final Pattern COUNT = Pattern.compile("[0-9]{1,4}");
  private static final int MOST_HOPS = 8;

  private RequestForwarder() {}

  /**
   * Returns a key that includes the identity of the caller, since all callers are one caller on the
   * other server.
   */
  private static String forwarded(HttpRequestContext httpRequestContext, String key) {
    byte[] whose =
        (httpRequestContext.caller().identity() + '\n' + key).getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(whose).toString();
  }

  /**
   * Returns the headers of {@link #forwarded(HttpRequestContext)}, and the idempotency key of a
   * write, so that the other server carries it out only once, too.
   */
  public static Map<String, String> onwardWithKey(HttpRequestContext httpRequestContext) {
    Map<String, String> headers = new TreeMap<>(forwarded(httpRequestContext));
    if (!httpRequestContext.method().equals("GET") && !httpRequestContext.isHead()) {
      httpRequestContext
          .idempotencyKey()
          .ifPresent(key -> headers.put(Idempotency.KEY, forwarded(httpRequestContext, key)));
    }
    return headers;
  }

  /**
   * Returns the id of a call and its number of hops. The number ends a loop of servers that forward
   * to each other, which would otherwise use up all of their threads.
   */
  public static Map<String, String> forwarded(HttpRequestContext httpRequestContext) {
    String hops = httpRequestContext.header(HOPS).orElse("0");
    if (!COUNT.matcher(hops).matches()) {
      throw HttpRequestContext.invalid(HOPS + " is a small number, unlike \"" + hops + "\"");
    }
    int passed = Integer.parseInt(hops);
    if (passed >= MOST_HOPS) {
      throw new ProblemException(
          Problem.of(
              508,
              "loop-detected",
              "the request was passed on by %d servers; does the --data of one of them lead back?"
                  .formatted(passed)));
    }
    return Map.of("X-Request-Id", httpRequestContext.id(), HOPS, Integer.toString(passed + 1));
  }
}
