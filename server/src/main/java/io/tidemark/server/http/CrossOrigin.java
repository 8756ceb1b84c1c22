// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.handler.CrossOriginHandler;

/** Lets pages of some origins read answers in a browser (CORS); without any, those of none. */
public final class CrossOrigin {

  private CrossOrigin() {}

  /**
   * Puts the check in front of a handler.
   *
   * @param origins such as {@code https://app.example}
   */
  public static Handler of(Set<String> origins, Handler next) {
    if (origins.isEmpty()) {
      return next;
    }
    CrossOriginHandler handler = new CrossOriginHandler();
    handler.setAllowedOriginPatterns(
        origins.stream().map(Pattern::quote).collect(Collectors.toSet()));
    handler.setAllowedMethods(Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"));
    handler.setAllowedHeaders(
        Set.of(
            "Accept",
            "Authorization",
            "Content-Type",
            "If-Match",
            "If-None-Match",
            "Idempotency-Key",
            "Last-Event-ID",
            "Tidemark-App",
            "Tidemark-Author",
            "X-Request-Id"));
    handler.setExposedHeaders(
        Set.of(
            "ETag",
            "Location",
            "Retry-After",
            "Tidemark-Features",
            "Tidemark-Schema-Versions",
            "X-Request-Id"));
    // Tokens are sent by the page itself; a browser has nothing to add.
    handler.setAllowCredentials(false);
    handler.setHandler(next);
    return handler;
  }
}
