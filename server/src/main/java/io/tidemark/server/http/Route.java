// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import io.tidemark.server.access.RequiredPermission;

/**
 * One operation of the API.
 *
 * @param method such as {@code GET}; one that is {@code GET} answers {@code HEAD} as well
 * @param template its path, such as {@code /v1/names/{address}}: a step in braces takes any text,
 *     and is a parameter of that name. A last step such as {@code {key...}} takes all that is left
 * @param need what its caller must be allowed to do
 * @param effect whether it changes anything
 * @param lane whose threads it is answered by
 * @param endpoint answers it
 */
public record Route(
    String method,
    String template,
    RequiredPermission need,
    Effect effect,
    DispatchClass lane,
    RouteHandler endpoint) {

  /** What a request may change. */
  public enum Effect {
    /** Nothing. */
    READS,

    /** Anything that its caller may change. */
    WRITES
  }

  /** Threads are divided among lanes, so that those in one keep nobody in another waiting. */
  public enum DispatchClass {
    /** Answered at once from what is at hand, however busy the server is. */
    VITAL,

    /** One request to the store or so. */
    LOOKUP,

    /** Anything else, which may take long. */
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

  /** The same as one that changes nothing, although its method says that it might. */
  public Route asReadOnly() {
    return new Route(method, template, need, Effect.READS, lane, endpoint);
  }

  /** The same with another endpoint. */
  public Route withHandler(RouteHandler other) {
    return new Route(method, template, need, effect, lane, other);
  }

  /** The same in another lane. */
  public Route withDispatchClass(DispatchClass other) {
    return new Route(method, template, need, effect, other, endpoint);
  }

  @Override
  public String toString() {
    return method + " " + template;
  }
}
