// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import io.tidemark.features.Features;
import io.tidemark.server.http.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All that can be done with features. */
public final class FeatureRoutes implements AutoCloseable {

  private final Desk desk;
  private final LogRoutes log;

  /**
   * @param features empty when the server has none; then each route says so
   */
  public FeatureRoutes(Optional<Features> features) {
    this.desk = new Desk(features);
    this.log = new LogRoutes(desk);
  }

  public List<Route> routes() {
    List<Route> all = new ArrayList<>();
    all.addAll(new CollectionRoutes(desk).routes());
    all.addAll(new QueryRoutes(desk).routes());
    all.addAll(new StateRoutes(desk).routes());
    all.addAll(new BulkRoutes(desk).routes());
    all.addAll(log.routes());
    return all.stream().map(desk::telling).toList();
  }

  /** Ends those who wait for changes. */
  @Override
  public void close() {
    log.close();
  }
}
