// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.admin;

import io.tidemark.api.features.FeatureContext;
import io.tidemark.api.features.FeatureService;
import io.tidemark.client.features.HttpFeatureService;
import io.tidemark.embed.features.EmbeddedFeatures;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.events.ServerEventBus;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.resources.ServerResources;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Routes that report the status of the server to its operator. They show names that the operator
 * may have no other right to.
 */
public final class AdminRoutes {

  private final ServerResources serverResources;
  private final ServerEventBus events;

  public AdminRoutes(ServerResources serverResources, ServerEventBus events) {
    this.serverResources = serverResources;
    this.events = events;
  }

  public List<Route> routes() {
    return List.of(new Route("GET", "/v1/admin/status", RequiredPermission.admin(), this::status));
  }

  private RouteResponse status(HttpRequestContext httpRequestContext) {
    return RouteResponse.ok(
        StoreStatus.of(
                serverResources.names(),
                httpRequestContext.pageSize(),
                events.service().map(EventBusStatus::of).orElse(EventBusStatus.NONE))
            .json(features()));
  }

  private Optional<FeatureStatus> features() {
    return serverResources
        .features()
        .<FeatureService>map(EmbeddedFeatures::of)
        .or(
            () ->
                serverResources
                    .upstream()
                    .map(
                        other ->
                            new HttpFeatureService(other, Map.of(), FeatureContext.standard())))
        .flatMap(service -> FeatureStatus.tryRead(() -> FeatureStatus.of(service)));
  }
}
