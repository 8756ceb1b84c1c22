// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.SourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import java.io.IOException;
import java.util.List;

/** Routes that publish graph sources; the routes of records look up, list and retract them. */
final class SourceRoutes {

  private final NameService names;
  private final RecordRenderer bodies;

  SourceRoutes(NameService names, RecordRenderer bodies) {
    this.names = names;
    this.bodies = bodies;
  }

  List<Route> routes() {
    return List.of(new Route("PUT", "/v1/names/{address}/source", NameRoutes.WRITE, this::publish));
  }

  /** Body of a request that publishes a graph source. */
  record Source(String type, ObjectNode config, List<String> dependencies) {}

  private RouteResponse publish(HttpRequestContext httpRequestContext) throws IOException {
    Source source = httpRequestContext.body(Source.class);
    NameRecord record =
        names
            .graphSources()
            .publish(
                NameRoutes.address(httpRequestContext),
                new SourceType(source.type),
                Payload.of(source.config),
                source.dependencies);
    return NameRoutes.tagged(200, bodies.record(record, httpRequestContext));
  }
}
