// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.admin;

import io.tidemark.server.access.Action;
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Route.Lane;
import io.tidemark.server.metrics.Meters;
import io.tidemark.server.resources.Holdings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** What Prometheus fetches: for whoever may read of the server itself. */
public final class MetricsRoutes {

  private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final Meters meters;
  private final IndexLag lag;

  public MetricsRoutes(Holdings holdings) {
    this.meters = holdings.meters();
    this.lag = new IndexLag(holdings.names(), holdings.meters());
  }

  public List<Route> routes() {
    return List.of(
        new Route("GET", "/metrics", Need.some(Action.READ, Realm.SERVER), this::scrape)
            .in(Lane.LOOKUP));
  }

  private Reply scrape(Call call) {
    lag.refresh();
    byte[] text = meters.scrape().getBytes(StandardCharsets.UTF_8);
    return new Reply.Bytes(200, TYPE, text, Map.of());
  }
}
