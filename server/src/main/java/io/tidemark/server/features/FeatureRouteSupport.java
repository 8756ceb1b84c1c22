// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.api.features.CommitOutcomeUnknownException;
import io.tidemark.api.features.FeatureContext;
import io.tidemark.api.features.FeatureService;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Caller;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** Support for all routes of features: the service with the context of a call, and permissions. */
final class FeatureRouteSupport {

  static final String GEO_JSON = "application/geo+json";

  /** Header with the application that writes, percent-encoded. */
  private static final String APP = "Tidemark-App";

  /** Header with the person who writes, percent-encoded. */
  private static final String AUTHOR = "Tidemark-Author";

  private static final String REQUEST = "X-Request-Id";
  private static final String USUAL_APP = "tidemark-server";

  private final FeatureServices services;

  FeatureRouteSupport(FeatureServices services) {
    this.services = services;
  }

  static RequiredPermission readPermission() {
    return RequiredPermission.of(Action.READ, ResourceType.FEATURES, "collection");
  }

  static RequiredPermission writePermission() {
    return RequiredPermission.of(Action.WRITE, ResourceType.FEATURES, "collection");
  }

  /** Returns the service for a call that neither reads features nor writes them. */
  FeatureService of(HttpRequestContext httpRequestContext) {
    return services.of(httpRequestContext);
  }

  /** Returns the service for work that several calls share. */
  FeatureService shared() {
    return services.shared();
  }

  /**
   * Returns the service for a call that reads, at least as of the transaction that the call names.
   */
  FeatureService reading(HttpRequestContext httpRequestContext) {
    FeatureService features = services.of(httpRequestContext);
    return httpRequestContext
        .query("minTxn")
        .map(text -> features.with(FeatureContext.standard().since(txn(text))))
        .orElse(features);
  }

  static long txn(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw HttpRequestContext.invalid(
          "'%s' is no transaction number; one looks like 2026111600000000007".formatted(text));
    }
  }

  /**
   * Returns the service for a call that writes to a collection. To name an author other than the
   * caller requires the right to administer the collection.
   */
  FeatureService writing(HttpRequestContext httpRequestContext, String collection) {
    FeatureContext context =
        FeatureContext.app(header(httpRequestContext, APP).orElse(USUAL_APP))
            .withRequestId(
                httpRequestContext.header(REQUEST).filter(httpRequestContext.id()::equals))
            .withAuthor(author(httpRequestContext, collection));
    return services.of(httpRequestContext).with(context);
  }

  /** Returns the author of a write to a collection; empty if the author is unknown. */
  static Optional<String> author(HttpRequestContext httpRequestContext, String collection) {
    Caller caller = httpRequestContext.caller();
    Optional<String> given = header(httpRequestContext, AUTHOR);
    if (given.filter(name -> !name.equals(caller.name())).isPresent()) {
      caller.require(Action.ADMIN, ResourceType.FEATURES, collection);
    }
    return given.isPresent() || caller.equals(Caller.unrestricted())
        ? given
        : Optional.of(caller.name());
  }

  private static Optional<String> header(HttpRequestContext httpRequestContext, String name) {
    try {
      return httpRequestContext
          .header(name)
          .map(text -> URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw HttpRequestContext.invalid(
          "the header " + name + " has a '%' without two digits behind it");
    }
  }

  /** Returns an answer with GeoJSON. */
  static RouteResponse geoJson(JsonNode json) {
    return new RouteResponse.Json(200, GEO_JSON, json, Map.of());
  }

  /** Returns the route with a hint how to find out about a commit whose outcome is unknown. */
  Route withOutcomeHint(Route route) {
    return route.withHandler(
        httpRequestContext -> {
          try {
            return route.endpoint().answer(httpRequestContext);
          } catch (CommitOutcomeUnknownException e) {
            throw new ProblemException(unknown(e));
          }
        });
  }

  private static Problem unknown(CommitOutcomeUnknownException e) {
    return Problem.of(
            504,
            e.code(),
            e.getMessage()
                + "; before doing it again, ask GET /v1/transactions/outcome with the parameters"
                + " transaction and began of this problem")
        .with("transaction", TextNode.valueOf(e.transaction()))
        .with("began", TextNode.valueOf(e.began()));
  }
}
