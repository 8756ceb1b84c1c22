// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.health;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.ApiDescription;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Route.DispatchClass;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.server.resources.WritePolicy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Routes of liveness, readiness and capabilities. */
public final class HealthRoutes {

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration KEPT = Duration.ofSeconds(1);
  private static final String UNTOLD =
      "what the server works on can't be used; the server's log says why";

  private final ReadinessCheck readinessCheck;
  private final RouteResponse openApi =
      new RouteResponse.Bytes(200, RouteResponse.JSON, bytes(ApiDescription.document()), Map.of());
  private final String version = version();
  private final WritePolicy writePolicy;

  public HealthRoutes(ServerResources serverResources, WritePolicy writePolicy) {
    this.readinessCheck = new ReadinessCheck(serverResources, writePolicy, PATIENCE, KEPT);
    this.writePolicy = writePolicy;
  }

  public List<Route> routes() {
    return Stream.of(
            new Route("GET", "/", RequiredPermission.none(), new StartPage(version)::answer),
            new Route(
                "GET",
                "/live",
                RequiredPermission.none(),
                httpRequestContext -> RouteResponse.ok(state("live"))),
            new Route("GET", "/ready", RequiredPermission.none(), this::ready),
            new Route("GET", "/version", RequiredPermission.none(), httpRequestContext -> told()),
            new Route(
                "GET", "/openapi.json", RequiredPermission.none(), httpRequestContext -> openApi),
            new Route(
                "GET", "/v1/caller", RequiredPermission.authenticated(), HealthRoutes::caller))
        .map(route -> route.withDispatchClass(DispatchClass.VITAL))
        .toList();
  }

  private static ObjectNode state(String word) {
    return JsonNodeFactory.instance.objectNode().put("status", word);
  }

  /**
   * Answers whether the server is ready: whether its store responds, and accepts writes unless the
   * server is read-only. The reason of a failure may reveal the location of the store, so only
   * callers that may read the server get it.
   */
  private RouteResponse ready(HttpRequestContext httpRequestContext) {
    boolean told = httpRequestContext.caller().may(Action.READ, ResourceType.SERVER, "");
    try {
      return readinessCheck
          .problem()
          .<RouteResponse>map(
              why -> RouteResponse.problem(Problem.of(503, "not-ready", told ? why : UNTOLD)))
          .orElseGet(() -> RouteResponse.ok(readyState()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return RouteResponse.problem(Problem.of(503, "stopped", "the server is stopping"));
    }
  }

  private ObjectNode readyState() {
    return writePolicy == WritePolicy.TAKEN
        ? state("ready")
        : state("ready").put("read_only", true);
  }

  private static RouteResponse caller(HttpRequestContext httpRequestContext) {
    ObjectNode told =
        JsonNodeFactory.instance.objectNode().put("name", httpRequestContext.caller().name());
    told.put("known", httpRequestContext.caller().isAuthenticated());
    ArrayNode grants = told.putArray("grants");
    httpRequestContext.caller().grants().forEach(grant -> grants.add(grant.toString()));
    return RouteResponse.ok(told);
  }

  private RouteResponse told() {
    return RouteResponse.ok(
        JsonNodeFactory.instance.objectNode().put("version", version).put("api", "v1"));
  }

  private static String version() {
    try (InputStream text =
        HealthRoutes.class.getResourceAsStream("/io/tidemark/server/version.txt")) {
      return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8)
          .strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(JsonNode json) {
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }
}
