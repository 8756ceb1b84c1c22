// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.admin;

import io.tidemark.api.features.FeatureContext;
import io.tidemark.api.features.FeatureService;
import io.tidemark.client.features.HttpFeatureService;
import io.tidemark.embed.features.EmbeddedFeatures;
import io.tidemark.server.access.Need;
import io.tidemark.server.events.ServedEvents;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.resources.Holdings;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How all is, to who runs the server; it shows names that this caller may have no other right to.
 */
public final class AdminRoutes {

  private final Holdings holdings;
  private final ServedEvents events;

  public AdminRoutes(Holdings holdings, ServedEvents events) {
    this.holdings = holdings;
    this.events = events;
  }

  public List<Route> routes() {
    return List.of(new Route("GET", "/v1/admin/status", Need.admin(), this::status));
  }

  private Reply status(Call call) {
    return Reply.ok(
        StoreStatus.of(
                holdings.names(),
                call.pageSize(),
                events.service().map(EventBusStatus::of).orElse(EventBusStatus.NONE))
            .json(features()));
  }

  private Optional<FeatureStatus> features() {
    return holdings
        .features()
        .<FeatureService>map(EmbeddedFeatures::of)
        .or(
            () ->
                holdings
                    .upstream()
                    .map(
                        other ->
                            new HttpFeatureService(other, Map.of(), FeatureContext.standard())))
        .flatMap(service -> FeatureStatus.tried(() -> FeatureStatus.of(service)));
  }
}
