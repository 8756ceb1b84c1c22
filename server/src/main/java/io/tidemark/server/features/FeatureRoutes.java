// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import io.tidemark.client.ServerConnection;
import io.tidemark.features.Features;
import io.tidemark.server.http.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Routes of features. */
public final class FeatureRoutes implements AutoCloseable {

  private final List<Route> routes;
  private final Runnable end;

  private FeatureRoutes(List<Route> routes, Runnable end) {
    this.routes = routes;
    this.end = end;
  }

  /**
   * Returns the routes of this server's own feature storage.
   *
   * @param features empty if the server has none; each route then answers with a problem
   */
  public static FeatureRoutes of(Optional<Features> features) {
    return of(FeatureServices.of(features));
  }

  /** Returns the routes of the features of another server. */
  public static FeatureRoutes of(ServerConnection upstream) {
    return of(FeatureServices.of(upstream));
  }

  private static FeatureRoutes of(FeatureServices services) {
    FeatureRouteSupport featureRouteSupport = new FeatureRouteSupport(services);
    LogRoutes log = new LogRoutes(featureRouteSupport);
    List<Route> all = new ArrayList<>();
    all.addAll(new CollectionRoutes(featureRouteSupport).routes());
    all.addAll(new FeatureQueryRoutes(featureRouteSupport).routes());
    all.addAll(new StateRoutes(featureRouteSupport).routes());
    all.addAll(new BulkRoutes(featureRouteSupport).routes());
    all.addAll(log.routes());
    return new FeatureRoutes(
        all.stream().map(featureRouteSupport::withOutcomeHint).toList(), log::close);
  }

  public List<Route> routes() {
    return routes;
  }

  /** Ends the answers that wait for changes. */
  @Override
  public void close() {
    end.run();
  }
}
