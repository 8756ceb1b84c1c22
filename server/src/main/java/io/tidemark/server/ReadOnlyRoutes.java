// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import io.tidemark.server.http.Route;
import io.tidemark.server.http.Route.Effect;
import io.tidemark.server.http.RouteHandler;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.util.List;

/** Filter that makes a read-only server refuse every request that changes something. */
final class ReadOnlyRoutes {

  private static final RouteHandler REFUSAL =
      httpRequestContext -> {
        throw new ProblemException(
            Problem.of(
                403,
                "read-only",
                "this server only reads what it serves (serve --read-only), and this request"
                    + " changes something; send it to a server that takes writes"));
      };

  private ReadOnlyRoutes() {}

  /** Returns the routes, where each route that changes something refuses its requests. */
  static List<Route> of(List<Route> all) {
    return all.stream()
        .map(route -> route.effect() == Effect.READS ? route : route.withHandler(REFUSAL))
        .toList();
  }
}
