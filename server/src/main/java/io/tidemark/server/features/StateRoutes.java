// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.CollectionService;
import io.tidemark.api.features.ExpectedState;
import io.tidemark.api.features.FeatureBatch;
import io.tidemark.api.features.FeatureMoment;
import io.tidemark.api.features.FeaturePage;
import io.tidemark.api.features.FeaturePutResult;
import io.tidemark.api.features.FeatureWrite;
import io.tidemark.api.features.LookupRequest;
import io.tidemark.api.features.WrittenFeatures;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Guid;
import io.tidemark.names.NotFoundException;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.LargeIntegerEncoding;
import io.tidemark.server.http.Pagination;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.problem.Problem;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Routes of features by id: current and past states, and changes. */
final class StateRoutes {

  private static final String ALL = "/v1/collections/{collection}/features";
  private static final String ONE = ALL + "/{id}";

  private final FeatureRouteSupport featureRouteSupport;

  StateRoutes(FeatureRouteSupport featureRouteSupport) {
    this.featureRouteSupport = featureRouteSupport;
  }

  List<Route> routes() {
    return List.of(
        new Route("POST", ALL, FeatureRouteSupport.writePermission(), this::write),
        new Route("GET", ONE, FeatureRouteSupport.readPermission(), this::show),
        new Route("PUT", ONE, FeatureRouteSupport.writePermission(), this::put),
        new Route("DELETE", ONE, FeatureRouteSupport.writePermission(), this::delete),
        new Route("GET", ONE + "/history", FeatureRouteSupport.readPermission(), this::history),
        new Route("GET", ONE + "/activity", FeatureRouteSupport.readPermission(), this::activity),
        new Route("GET", ONE + "/at/{moment}", FeatureRouteSupport.readPermission(), this::at),
        new Route(
                "POST",
                "/v1/collections/{collection}/lookup",
                FeatureRouteSupport.readPermission(),
                this::lookup)
            .asReadOnly(),
        new Route(
            "GET",
            "/v1/guids/{guid}",
            RequiredPermission.onAny(Action.READ, ResourceType.FEATURES),
            this::byGuid));
  }

  private CollectionService reading(HttpRequestContext httpRequestContext) {
    return featureRouteSupport
        .reading(httpRequestContext)
        .collection(httpRequestContext.path("collection"));
  }

  private CollectionService writing(HttpRequestContext httpRequestContext) {
    return featureRouteSupport
        .writing(httpRequestContext, httpRequestContext.path("collection"))
        .collection(httpRequestContext.path("collection"));
  }

  private RouteResponse write(HttpRequestContext httpRequestContext) throws IOException {
    WrittenFeatures written =
        writing(httpRequestContext)
            .write(
                new FeatureBatch(
                    IdempotentIds.assigned(httpRequestContext, httpRequestContext.body())));
    return written
        .firstProblem()
        .map(problem -> rejectedBatch(httpRequestContext, problem, written))
        .orElseGet(() -> RouteResponse.ok(WireJson.tree(written)));
  }

  /** Returns the problem of a rejected batch, with the outcome of each row. */
  private static RouteResponse rejectedBatch(
      HttpRequestContext httpRequestContext, WrittenFeatures.Row problem, WrittenFeatures written) {
    JsonNode rows = WireJson.tree(written.rows());
    return RouteResponse.problem(
        problem(problem, 409)
            .with("committed", BooleanNode.FALSE)
            .with(
                "rows",
                LargeIntegerEncoding.asText(httpRequestContext)
                    ? LargeIntegerEncoding.asText(rows)
                    : rows));
  }

  private static Problem problem(WrittenFeatures.Row row, int conflict) {
    String message = row.message().orElse("");
    return switch (row.result()) {
      case CONFLICT ->
          Problem.of(
              conflict, "conflict", message + "; nothing was written: look at it, then decide");
      case MISSING -> Problem.of(404, "not-found", message + "; nothing was written");
      default -> Problem.of(400, "invalid-feature", message);
    };
  }

  private RouteResponse show(HttpRequestContext httpRequestContext) {
    String id = httpRequestContext.path("id");
    return state(
        httpRequestContext,
        new LookupRequest(List.of(id), Optional.empty(), httpRequestContext.flag("deleted")));
  }

  private RouteResponse at(HttpRequestContext httpRequestContext) {
    return state(
        httpRequestContext,
        LookupRequest.of(httpRequestContext.path("id"))
            .at(new FeatureMoment(httpRequestContext.path("moment"))));
  }

  private RouteResponse state(HttpRequestContext httpRequestContext, LookupRequest request) {
    return state(
        httpRequestContext,
        reading(httpRequestContext).lookup(request).features(),
        httpRequestContext.path("id"));
  }

  private RouteResponse byGuid(HttpRequestContext httpRequestContext) {
    Guid guid = Guid.parse(httpRequestContext.path("guid"));
    httpRequestContext.caller().require(Action.READ, ResourceType.FEATURES, guid.collection());
    String name = guid.toString();
    return state(
        httpRequestContext,
        featureRouteSupport.reading(httpRequestContext).queries().states(List.of(name)).features(),
        name);
  }

  private static RouteResponse state(
      HttpRequestContext httpRequestContext, List<ObjectNode> found, String name) {
    if (found.isEmpty()) {
      throw new NotFoundException("there is no feature '" + name + "'");
    }
    ObjectNode feature = found.get(0);
    Optional<String> tag = tag(feature);
    boolean known =
        httpRequestContext
            .header("If-None-Match")
            .filter(list -> tag.isPresent() && List.of(list.split(", *")).contains(tag.get()))
            .isPresent();
    return tagged(known ? RouteResponse.empty(304) : FeatureRouteSupport.geoJson(feature), feature);
  }

  private static Optional<String> tag(ObjectNode feature) {
    return Optional.ofNullable(
            feature.path("properties").path(Feature.XYZ).path("uuid").textValue())
        .map(uuid -> '"' + uuid + '"');
  }

  private static RouteResponse tagged(RouteResponse routeResponse, ObjectNode state) {
    return tag(state).map(tag -> routeResponse.with("ETag", tag)).orElse(routeResponse);
  }

  private RouteResponse put(HttpRequestContext httpRequestContext) throws IOException {
    FeaturePutResult result =
        writing(httpRequestContext)
            .put(
                httpRequestContext.path("id"),
                httpRequestContext.body(),
                replaced(httpRequestContext));
    if (result instanceof FeaturePutResult.Created created) {
      return tagged(
          new RouteResponse.Json(201, FeatureRouteSupport.GEO_JSON, created.state(), Map.of()),
          created.state());
    }
    if (result instanceof FeaturePutResult.Updated updated) {
      return tagged(FeatureRouteSupport.geoJson(updated.state()), updated.state());
    }
    FeaturePutResult.Conflict conflict = (FeaturePutResult.Conflict) result;
    return conflict(
        Problem.of(conflictStatus(httpRequestContext), "conflict", conflict.message()),
        conflict.actual());
  }

  /** Returns the state that a feature must be in to be replaced. */
  private static ExpectedState replaced(HttpRequestContext httpRequestContext) {
    Optional<String> fresh = httpRequestContext.header("If-None-Match");
    ExpectedState expected = expected(httpRequestContext);
    if (fresh.isEmpty()) {
      return expected;
    }
    if (!(expected instanceof ExpectedState.Any) || !fresh.get().equals("*")) {
      throw HttpRequestContext.invalid("If-None-Match takes * only, and goes without If-Match");
    }
    return ExpectedState.absent();
  }

  /** Returns the expected state from {@code If-Match}. */
  private static ExpectedState expected(HttpRequestContext httpRequestContext) {
    Optional<String> header = httpRequestContext.header("If-Match");
    if (header.isEmpty()) {
      return ExpectedState.any();
    }
    String tag = header.get();
    if (tag.equals("*")) {
      return ExpectedState.present();
    }
    if (tag.length() < 3 || !tag.startsWith("\"") || tag.indexOf('"', 1) != tag.length() - 1) {
      throw HttpRequestContext.invalid(
          "If-Match takes one ETag, in double quotes, or *; unlike " + tag);
    }
    return ExpectedState.uuid(tag.substring(1, tag.length() - 1));
  }

  /** Returns the status of a conflict, which depends on whether the caller expected a state. */
  private static int conflictStatus(HttpRequestContext httpRequestContext) {
    return isConditional(httpRequestContext) ? 412 : 409;
  }

  private static boolean isConditional(HttpRequestContext httpRequestContext) {
    return httpRequestContext.header("If-Match").isPresent()
        || httpRequestContext.header("If-None-Match").isPresent();
  }

  private static RouteResponse conflict(Problem problem, Optional<ObjectNode> actual) {
    return actual
        .map(state -> tagged(RouteResponse.problem(problem.with("actual", state)), state))
        .orElseGet(() -> RouteResponse.problem(problem));
  }

  private RouteResponse delete(HttpRequestContext httpRequestContext) {
    FeatureWrite delete = FeatureWrite.delete(httpRequestContext.path("id"));
    WrittenFeatures written =
        writing(httpRequestContext)
            .write(
                FeatureBatch.of(
                    List.of(
                        expected(httpRequestContext) instanceof ExpectedState.Uuid state
                            ? delete.expecting(state.uuid())
                            : delete)));
    WrittenFeatures.Row row = written.rows().get(0);
    if (row.result() == WrittenFeatures.Result.MISSING && isConditional(httpRequestContext)) {
      return RouteResponse.problem(Problem.of(412, "conflict", row.message().orElse("")));
    }
    return row.result().isDone()
        ? RouteResponse.ok(WireJson.tree(written))
        : conflict(problem(row, conflictStatus(httpRequestContext)), row.actual());
  }

  private RouteResponse history(HttpRequestContext httpRequestContext) {
    return page(
        httpRequestContext,
        reading(httpRequestContext)
            .history(
                httpRequestContext.path("id"),
                httpRequestContext.pageSize(),
                Pagination.of(httpRequestContext)));
  }

  private RouteResponse activity(HttpRequestContext httpRequestContext) {
    return page(
        httpRequestContext,
        reading(httpRequestContext)
            .activity(
                httpRequestContext.path("id"),
                httpRequestContext.pageSize(),
                Pagination.of(httpRequestContext)));
  }

  private static RouteResponse page(HttpRequestContext httpRequestContext, FeaturePage page) {
    if (page.features().isEmpty() && Pagination.of(httpRequestContext).isEmpty()) {
      throw new NotFoundException(
          "there is no feature '%s', and there was none".formatted(httpRequestContext.path("id")));
    }
    return FeatureRouteSupport.geoJson(
        WireJson.tree(new FeaturePage(page.features(), page.next().map(Pagination::encode))));
  }

  private RouteResponse lookup(HttpRequestContext httpRequestContext) throws IOException {
    LookupRequest request = httpRequestContext.body(LookupRequest.class);
    int most = httpRequestContext.limits().pageSize();
    if (request.ids().isEmpty() || request.ids().size() > most) {
      throw HttpRequestContext.invalid(
          "%d ids can't be looked up; give 1 to %d as \"ids\""
              .formatted(request.ids().size(), most));
    }
    return FeatureRouteSupport.geoJson(WireJson.tree(reading(httpRequestContext).lookup(request)));
  }
}
