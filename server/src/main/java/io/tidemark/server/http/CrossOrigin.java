// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import io.tidemark.server.access.Origin;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.handler.CrossOriginHandler;

/** Lets pages of some origins read answers in a browser (CORS); without any, those of none. */
public final class CrossOrigin {

  /**
   * Headers of requests that an API's description says in other ways, as the media types and the
   * security of an operation, or that any request may have.
   */
  private static final Set<String> UNDESCRIBED =
      Set.of("Accept", "Authorization", "Content-Type", "X-Request-Id");

  private CrossOrigin() {}

  /**
   * Puts the check in front of a handler.
   *
   * @param origins whose pages these are
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
    // Tokens are sent by the page itself; a browser has nothing to add.
    handler.setAllowCredentials(false);
    handler.setHandler(next);
    return handler;
  }
}
