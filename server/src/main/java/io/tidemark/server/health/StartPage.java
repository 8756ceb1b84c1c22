// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.health;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.RouteResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Page at {@code /} that describes the server: HTML for browsers, JSON for programs. It loads no
 * resources, runs no scripts and can't be framed.
 */
final class StartPage {

  private static final String HTML = "text/html";

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "Referrer-Policy",
          "no-referrer",
          "Vary",
          "Accept");

  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head><meta charset="utf-8"><title>Tidemark</title></head>
      <body>
      <h1>Tidemark %1$s</h1>
      <p>This is a Tidemark server. It keeps every state of your data: names that move by
      compare-and-set, commits that never change, and any past state to query.</p>
      <ul>
      <li><a href="/openapi.json">/openapi.json</a>: the HTTP API, in OpenAPI</li>
      <li><a href="/ready">/ready</a>: whether the server can work</li>
      <li><code>tidemark --help</code>, and the folder <code>docs</code> of the distribution: how to
      use it</li>
      </ul>
      </body>
      </html>
      """;

  private final String version;

  StartPage(String version) {
    this.version = version;
  }

  RouteResponse answer(HttpRequestContext httpRequestContext) {
    if (httpRequestContext
        .preferredType(List.of(RouteResponse.JSON, HTML))
        .filter(HTML::equals)
        .isPresent()) {
      byte[] page = PAGE.formatted(version).getBytes(StandardCharsets.UTF_8);
      return new RouteResponse.Bytes(200, HTML + ";charset=utf-8", page, HEADERS);
    }
    return new RouteResponse.Json(
        200,
        RouteResponse.JSON,
        JsonNodeFactory.instance
            .objectNode()
            .put("name", "Tidemark")
            .put("version", version)
            .put("api", "v1")
            .put("description", "/openapi.json"),
        HEADERS);
  }
}
