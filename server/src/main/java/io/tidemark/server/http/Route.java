// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import io.tidemark.server.access.RequiredPermission;

/**
 * One operation of the API.
 *
 * @param method method such as {@code GET}; a {@code GET} route also answers {@code HEAD}
 * @param template path such as {@code /v1/names/{address}}: a step in braces takes any text, and is
 *     a parameter of that name. A last step such as {@code {key...}} takes the rest of the path
 * @param need permission that the caller needs
 * @param effect whether the operation changes anything
 * @param lane lane whose threads answer the request
 * @param endpoint handler of the request
 */
public record Route(
    String method,
    String template,
    RequiredPermission need,
    Effect effect,
    DispatchClass lane,
    RouteHandler endpoint) {

  /** Effect of a request. */
  public enum Effect {
    /** The request changes nothing. */
    READS,

    /** The request may change anything that its caller may change. */
    WRITES
  }

  /** Lane of threads. Requests in one lane don't delay those in another. */
  public enum DispatchClass {
    /** Requests answered at once from memory, however busy the server is. */
    VITAL,

    /** Requests that take about one request to the store. */
    LOOKUP,

    /** All other requests, which may take long. */
    WORK
  }

  public Route(String method, String template, RequiredPermission need, RouteHandler endpoint) {
    this(
        method,
        template,
        need,
        method.equals("GET") ? Effect.READS : Effect.WRITES,
        DispatchClass.WORK,
        endpoint);
  }

  /** Returns this route as one that changes nothing, although its method suggests a write. */
  public Route asReadOnly() {
    return new Route(method, template, need, Effect.READS, lane, endpoint);
  }

  /** Returns this route with another handler. */
  public Route withHandler(RouteHandler other) {
    return new Route(method, template, need, effect, lane, other);
  }

  /** Returns this route in another lane. */
  public Route withDispatchClass(DispatchClass other) {
    return new Route(method, template, need, effect, other, endpoint);
  }

  @Override
  public String toString() {
    return method + " " + template;
  }
}
