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
 * Headers of the requests that this server sends to another one to answer a call.
 *
 * <p>The other server knows only this one, so the rights of callers are checked here.
 */
public final class RequestForwarder {

  /** By how many servers a request was passed on. */
  private static final String HOPS = "Tidemark-Hops";

  private static final Pattern COUNT = Pattern.compile("[0-9]{1,4}");
  private static final int MOST_HOPS = 8;

  private RequestForwarder() {}

  /** Callers are one caller there, so a key is made of whose it is, too. */
  private static String forwarded(HttpRequestContext httpRequestContext, String key) {
    byte[] whose =
        (httpRequestContext.caller().identity() + '\n' + key).getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(whose).toString();
  }

  /**
   * Returns the headers of {@link #forwarded(Call)}, and the key of a call that writes under one,
   * so that its work is done once there, too.
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
   * Returns the id of a call, and the number of servers that it was passed on by. Servers that pass
   * on to each other in a circle would do so until none has a thread left.
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
