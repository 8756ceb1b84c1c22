// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import io.tidemark.client.Connection;
import io.tidemark.features.Features;
import io.tidemark.server.http.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All that can be done with features. */
public final class FeatureRoutes implements AutoCloseable {

  private final List<Route> routes;
  private final Runnable end;

  private FeatureRoutes(List<Route> routes, Runnable end) {
    this.routes = routes;
    this.end = end;
  }

  /**
   * With a storage.
   *
   * @param features empty when the server has none; then each route says so
   */
  public static FeatureRoutes of(Optional<Features> features) {
    Desk desk = new Desk(features);
    LogRoutes log = new LogRoutes(desk);
    List<Route> all = new ArrayList<>();
    all.addAll(new CollectionRoutes(desk).routes());
    all.addAll(new QueryRoutes(desk).routes());
    all.addAll(new StateRoutes(desk).routes());
    all.addAll(new BulkRoutes(desk).routes());
    all.addAll(log.routes());
    return new FeatureRoutes(all.stream().map(desk::telling).toList(), log::close);
  }

  /** With those of another server. */
  public static FeatureRoutes forwarding(Connection upstream) {
    ForwardedFeatures forwarded = new ForwardedFeatures(upstream);
    return new FeatureRoutes(forwarded.routes(), forwarded::close);
  }

  public List<Route> routes() {
    return routes;
  }

  /** Ends those who wait for changes. */
  @Override
  public void close() {
    end.run();
  }
}
