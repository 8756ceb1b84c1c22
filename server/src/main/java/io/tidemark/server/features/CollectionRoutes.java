// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import io.tidemark.api.WireJson;
import io.tidemark.api.features.CollectionAdministration;
import io.tidemark.api.features.CollectionSettings;
import io.tidemark.api.features.CollectionsRequest;
import io.tidemark.api.features.FeatureCollectionExistsException;
import io.tidemark.api.features.FeatureCollectionInfo;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Pagination;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Routes of collections of features. */
final class CollectionRoutes {

  private static final String ALL = "/v1/collections";
  private static final String ONE = ALL + "/{collection}";

  private final FeatureRouteSupport featureRouteSupport;

  CollectionRoutes(FeatureRouteSupport featureRouteSupport) {
    this.featureRouteSupport = featureRouteSupport;
  }

  /** Setting of a collection: whether replaced states are kept. */
  private record History(boolean enabled) {}

  List<Route> routes() {
    return List.of(
        new Route(
            "GET", ALL, RequiredPermission.onAny(Action.READ, ResourceType.FEATURES), this::list),
        new Route("GET", ONE, FeatureRouteSupport.readPermission(), this::info),
        new Route("PUT", ONE, FeatureRouteSupport.writePermission(), this::create),
        new Route("PATCH", ONE, FeatureRouteSupport.writePermission(), this::update),
        new Route("DELETE", ONE, FeatureRouteSupport.writePermission(), this::delete),
        new Route("PUT", ONE + "/history", FeatureRouteSupport.writePermission(), this::history),
        new Route("POST", ONE + "/restore", FeatureRouteSupport.writePermission(), this::restore),
        new Route(
            "POST",
            ONE + "/purge",
            RequiredPermission.of(Action.ADMIN, ResourceType.FEATURES, "collection"),
            this::purge));
  }

  private RouteResponse list(HttpRequestContext httpRequestContext) {
    List<FeatureCollectionInfo> shown =
        featureRouteSupport
            .reading(httpRequestContext)
            .collections(new CollectionsRequest(httpRequestContext.flag("deleted")))
            .stream()
            .filter(
                info ->
                    httpRequestContext.caller().may(Action.READ, ResourceType.FEATURES, info.id()))
            .sorted(Comparator.comparing(FeatureCollectionInfo::id))
            .toList();
    return RouteResponse.ok(
        Pagination.pageOf(
            httpRequestContext, shown, FeatureCollectionInfo::id, FeatureCollectionInfo::json));
  }

  private RouteResponse info(HttpRequestContext httpRequestContext) {
    return RouteResponse.ok(
        featureRouteSupport
            .reading(httpRequestContext)
            .collection(id(httpRequestContext))
            .administration()
            .info()
            .json());
  }

  private RouteResponse create(HttpRequestContext httpRequestContext) throws IOException {
    CollectionSettings settings = httpRequestContext.body(CollectionSettings.class);
    try {
      return RouteResponse.json(201, administration(httpRequestContext).create(settings).json());
    } catch (FeatureCollectionExistsException e) {
      throw new ProblemException(Problem.of(e).with("actual", e.actual().json()));
    }
  }

  private CollectionAdministration administration(HttpRequestContext httpRequestContext) {
    return featureRouteSupport
        .writing(httpRequestContext, id(httpRequestContext))
        .collection(id(httpRequestContext))
        .administration();
  }

  private RouteResponse update(HttpRequestContext httpRequestContext) throws IOException {
    return update(httpRequestContext, httpRequestContext.body(CollectionSettings.class));
  }

  private RouteResponse history(HttpRequestContext httpRequestContext) throws IOException {
    boolean enabled = httpRequestContext.body(History.class).enabled();
    return update(
        httpRequestContext, CollectionSettings.none().withHistoryEnabled(Optional.of(enabled)));
  }

  /**
   * Updates a collection. A change that drops kept states requires more than the right to write.
   */
  private RouteResponse update(HttpRequestContext httpRequestContext, CollectionSettings settings) {
    if (settings.maxAge().isPresent()
        || settings.autoPurge().orElse(false)
        || !settings.historyEnabled().orElse(true)) {
      httpRequestContext
          .caller()
          .require(Action.ADMIN, ResourceType.FEATURES, id(httpRequestContext));
    }
    return RouteResponse.ok(administration(httpRequestContext).update(settings).json());
  }

  private RouteResponse delete(HttpRequestContext httpRequestContext) {
    return RouteResponse.ok(WireJson.tree(administration(httpRequestContext).delete()));
  }

  private RouteResponse restore(HttpRequestContext httpRequestContext) {
    return RouteResponse.ok(administration(httpRequestContext).restore().json());
  }

  private RouteResponse purge(HttpRequestContext httpRequestContext) {
    return RouteResponse.ok(WireJson.tree(administration(httpRequestContext).purge()));
  }

  private static String id(HttpRequestContext httpRequestContext) {
    return httpRequestContext.path("collection");
  }
}
