// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import io.tidemark.server.access.Origin;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.handler.CrossOriginHandler;

/**
 * Cross-origin access (CORS): lets pages of the allowed origins read answers in a browser; none if
 * there are no origins.
 */
public final class CrossOrigin {

  /**
   * Request headers that aren't parameters in the description: those that OpenAPI derives from the
   * media types and the security of an operation, and those that any request may have.
   */
  private static final Set<String> UNDESCRIBED =
      Set.of("Accept", "Authorization", "Content-Type", "X-Request-Id");

  private CrossOrigin() {}

  /**
   * Wraps a handler with the CORS check.
   *
   * @param origins allowed origins
   */
  public static Handler of(Set<Origin> origins, Handler next) {
    if (origins.isEmpty()) {
      return next;
    }
    CrossOriginHandler handler = new CrossOriginHandler();
    handler.setAllowedOriginPatterns(
        origins.stream().map(origin -> origin.pattern().pattern()).collect(Collectors.toSet()));
    handler.setAllowedMethods(Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"));
    Set<String> sent = new TreeSet<>(UNDESCRIBED);
    sent.addAll(ApiDescription.requestHeaders());
    handler.setAllowedHeaders(sent);
    handler.setExposedHeaders(ApiDescription.answerHeaders());
    // Pages send tokens themselves, so browsers need not add credentials.
    handler.setAllowCredentials(false);
    handler.setHandler(next);
    return handler;
  }
}
