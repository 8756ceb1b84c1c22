// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.api.ResultStream;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.FeatureMoment;
import io.tidemark.api.features.FeatureQueryRequest;
import io.tidemark.features.bulk.output.Framing;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.LargeIntegerEncoding;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Routes that query features by place, tags, properties and more: in pages, or as a stream without
 * a limit.
 */
final class FeatureQueryRoutes {

  private final FeatureRouteSupport featureRouteSupport;

  FeatureQueryRoutes(FeatureRouteSupport featureRouteSupport) {
    this.featureRouteSupport = featureRouteSupport;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/v1/collections/{collection}/features",
            FeatureRouteSupport.readPermission(),
            this::ofOne),
        new Route(
                "POST",
                "/v1/features/query",
                RequiredPermission.onAny(Action.READ, ResourceType.FEATURES),
                this::ofSeveral)
            .asReadOnly());
  }

  private RouteResponse ofOne(HttpRequestContext httpRequestContext) {
    FeatureQueryRequest request = request(httpRequestContext);
    return wantsStream(httpRequestContext)
        ? stream(httpRequestContext, request)
        : page(httpRequestContext, request.limit(httpRequestContext.pageSize()));
  }

  private RouteResponse ofSeveral(HttpRequestContext httpRequestContext) throws IOException {
    FeatureQueryRequest request = httpRequestContext.body(FeatureQueryRequest.class);
    request
        .collections()
        .forEach(id -> httpRequestContext.caller().require(Action.READ, ResourceType.FEATURES, id));
    if (httpRequestContext.flag("explain")) {
      return RouteResponse.ok(
          WireJson.tree(
              featureRouteSupport
                  .reading(httpRequestContext)
                  .queries()
                  .explain(limited(httpRequestContext, request))));
    }
    return wantsStream(httpRequestContext)
        ? stream(httpRequestContext, request)
        : page(httpRequestContext, limited(httpRequestContext, request));
  }

  private static FeatureQueryRequest limited(
      HttpRequestContext httpRequestContext, FeatureQueryRequest request) {
    int most = httpRequestContext.limits().pageSize();
    int limit = request.limit().orElse(Math.min(100, most));
    if (limit > most) {
      throw HttpRequestContext.invalid(
          "a page has at most %d features; go on with its \"next\" as \"cursor\"".formatted(most));
    }
    return request.limit(limit);
  }

  private RouteResponse page(HttpRequestContext httpRequestContext, FeatureQueryRequest request) {
    return FeatureRouteSupport.geoJson(
        WireJson.tree(featureRouteSupport.reading(httpRequestContext).queries().page(request)));
  }

  private static boolean wantsStream(HttpRequestContext httpRequestContext) {
    return httpRequestContext
        .header("Accept")
        .filter(type -> type.contains(Framing.RFC_8142.mediaType()))
        .isPresent();
  }

  private RouteResponse stream(HttpRequestContext httpRequestContext, FeatureQueryRequest request) {
    boolean wide = LargeIntegerEncoding.asText(httpRequestContext);
    ResultStream<FeatureQueryRequest, ObjectNode> found =
        featureRouteSupport.reading(httpRequestContext).queries().stream(request);
    return new RouteResponse.Streamed(
        200,
        Framing.RFC_8142.mediaType(),
        RouteResponse.BodyWriter.closing(
            found::close, out -> FeatureSequenceWriter.write(found, out, Framing.RFC_8142, wide)),
        Map.of());
  }

  private static FeatureQueryRequest request(HttpRequestContext httpRequestContext) {
    return new FeatureQueryRequest(
        List.of(httpRequestContext.path("collection")),
        Optional.of(httpRequestContext.queries("id")).filter(ids -> !ids.isEmpty()),
        httpRequestContext.query("bbox"),
        httpRequestContext.query("tile"),
        httpRequestContext.query("hereTile"),
        whole(httpRequestContext, "margin", Integer.MIN_VALUE),
        httpRequestContext.query("near"),
        httpRequestContext.query("geometry").map(TextNode::valueOf),
        httpRequestContext.query("radius").map(FeatureQueryRoutes::radius),
        httpRequestContext.flag("outside"),
        httpRequestContext.flag("clip"),
        httpRequestContext.queries("tags"),
        httpRequestContext.queries("where"),
        httpRequestContext.queries("select").stream()
            .flatMap(list -> Stream.of(list.split(",")))
            .toList(),
        httpRequestContext.query("order"),
        whole(httpRequestContext, "limit", 1),
        httpRequestContext.query("cursor"),
        httpRequestContext.query("at").map(FeatureMoment::new),
        httpRequestContext.flag("deleted"),
        httpRequestContext.flag("versions"));
  }

  private static OptionalInt whole(HttpRequestContext httpRequestContext, String name, int least) {
    return httpRequestContext.number(name, least, Integer.MAX_VALUE).stream()
        .mapToInt(Long::intValue)
        .findAny();
  }

  private static double radius(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw HttpRequestContext.invalid("the parameter radius is a number, unlike \"" + text + "\"");
    }
  }
}
