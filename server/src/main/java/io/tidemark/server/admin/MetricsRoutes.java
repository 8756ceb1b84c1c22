// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.admin;

import io.tidemark.server.access.Action;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Route.DispatchClass;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.metrics.Meters;
import io.tidemark.server.resources.ServerResources;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Route of the metrics for Prometheus, for callers that may read the server itself. */
public final class MetricsRoutes {

  private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final Meters meters;
  private final IndexLag lag;

  public MetricsRoutes(ServerResources serverResources) {
    this.meters = serverResources.meters();
    this.lag = new IndexLag(serverResources.names(), serverResources.meters());
  }

  public List<Route> routes() {
    return List.of(
        new Route(
                "GET",
                "/metrics",
                RequiredPermission.onAny(Action.READ, ResourceType.SERVER),
                this::scrape)
            .withDispatchClass(DispatchClass.LOOKUP));
  }

  private RouteResponse scrape(HttpRequestContext httpRequestContext) {
    lag.refresh();
    byte[] text = meters.scrape().getBytes(StandardCharsets.UTF_8);
    return new RouteResponse.Bytes(200, TYPE, text, Map.of());
  }
}
