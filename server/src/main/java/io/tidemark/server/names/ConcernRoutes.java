// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameService;
import io.tidemark.names.PushResult;
import io.tidemark.names.view.RecordJson;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Route.DispatchClass;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.names.RecordRenderer.Body;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Routes of the concerns of a record, each updated by compare-and-set. */
final class ConcernRoutes {

  /**
   * Requested update of a concern.
   *
   * @param conflict status of the answer if the concern isn't as expected
   */
  record ConcernMove(Address address, Concern concern, int conflict) {
    String description() {
      return concern.text() + " of " + address;
    }
  }

  /**
   * Permission to push. A caller that may only lock can push only a status that changes nothing but
   * a lock.
   */
  private static final RequiredPermission PUSH =
      RequiredPermission.anyOf(
          EnumSet.of(Action.WRITE, Action.LOCK), ResourceType.NAMES, "address");

  private final NameService names;
  private final RecordRenderer bodies;
  private final LockFence fence;

  ConcernRoutes(NameService names, RecordRenderer bodies) {
    this.names = names;
    this.bodies = bodies;
    this.fence = new LockFence(names);
  }

  List<Route> routes() {
    return List.of(
        new Route("GET", "/v1/names/{address}/{concern}", NameRoutes.READ, this::show)
            .withDispatchClass(DispatchClass.LOOKUP),
        new Route("PUT", "/v1/names/{address}/{concern}", PUSH, this::push),
        new Route(
            "POST", "/v1/names/{address}/{concern}/advance", NameRoutes.WRITE, this::advance));
  }

  private RouteResponse show(HttpRequestContext httpRequestContext) {
    Address address = NameRoutes.address(httpRequestContext);
    Concern concern = concern(httpRequestContext);
    Optional<ConcernValue> value = names.get(address, concern);
    return value.isPresent()
        ? NameRoutes.shown(
            httpRequestContext, bodies.value(address, value.get(), httpRequestContext))
        : ConflictProblems.notFound(address);
  }

  private static Concern concern(HttpRequestContext httpRequestContext) {
    String word = httpRequestContext.path("concern");
    return Stream.of(Concern.values())
        .filter(concern -> concern.text().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new ProblemException(
                    Problem.of(
                        404,
                        "no-route",
                        "a record has head, index, status and config; see /openapi.json")));
  }

  private RouteResponse push(HttpRequestContext httpRequestContext) throws IOException {
    Address address = NameRoutes.address(httpRequestContext);
    Concern concern = concern(httpRequestContext);
    if (concern != Concern.STATUS) {
      httpRequestContext.caller().require(Action.WRITE, ResourceType.NAMES, address.toString());
    }
    ObjectNode body = httpRequestContext.lenientBody();
    ConcernValue next = RecordJson.value(body.path("next"), "next " + concern.text());
    fence.require(address, body.path("lock"));
    Optional<ConcernValue> expected;
    int conflict = ConflictProblems.IN_HEADER;
    Optional<String> tag = httpRequestContext.header("If-Match");
    if (tag.isPresent()) {
      expected = names.get(address, concern);
      ConcernMove concernMove = new ConcernMove(address, concern, conflict);
      if (expected.isEmpty()
          || !ETags.matches(tag.get(), tag(concernMove, expected.get(), httpRequestContext))) {
        return answer(httpRequestContext, bodies, concernMove, new PushResult.Conflict(expected));
      }
    } else if (httpRequestContext.header("If-None-Match").isPresent()) {
      requireAny(httpRequestContext);
      expected = Optional.empty();
    } else {
      expected = expected(body, concern);
      conflict = ConflictProblems.IN_BODY;
    }
    if (concern == Concern.STATUS) {
      StatusPermissions.require(
          httpRequestContext.caller(), address, expected.orElse(ConcernValue.UNBORN), next);
    }
    PushResult result = names.push(address, concern, expected, next);
    return answer(httpRequestContext, bodies, new ConcernMove(address, concern, conflict), result);
  }

  static void requireAny(HttpRequestContext httpRequestContext) {
    if (!httpRequestContext.header("If-None-Match").orElse("").equals(ETags.ANY)) {
      throw HttpRequestContext.invalid(
          "a write takes If-None-Match: * alone, which says that there is nothing");
    }
  }

  private String tag(
      ConcernMove concernMove, ConcernValue value, HttpRequestContext httpRequestContext) {
    return bodies.value(concernMove.address, value, httpRequestContext).tag();
  }

  /**
   * Returns the expected state from a body. Null expects that there is no record; a missing member
   * is refused.
   */
  private static Optional<ConcernValue> expected(ObjectNode body, Concern concern) {
    JsonNode expected = body.get("expected");
    if (expected == null) {
      throw HttpRequestContext.invalid(
          "the body needs \"expected\", the state it has now or null for no such record; or the"
              + " request If-Match, or If-None-Match: *");
    }
    return expected.isNull()
        ? Optional.empty()
        : Optional.of(RecordJson.value(expected, "expected " + concern.text()));
  }

  private RouteResponse advance(HttpRequestContext httpRequestContext) throws IOException {
    Address address = NameRoutes.address(httpRequestContext);
    Concern concern = concern(httpRequestContext);
    ObjectNode body = httpRequestContext.lenientBody();
    ConcernValue next = RecordJson.value(body.path("next"), "next " + concern.text());
    ConcernChange.Advance change = new ConcernChange.Advance(concern, next, bound(body));
    fence.require(address, body.path("lock"));
    ConcernMove concernMove = new ConcernMove(address, concern, ConflictProblems.IN_BODY);
    return answer(httpRequestContext, bodies, concernMove, names.advance(address, change));
  }

  private static ConcernChange.Bound bound(ObjectNode body) {
    String word = body.path("bound").asText("newer");
    return Stream.of(ConcernChange.Bound.values())
        .filter(bound -> bound.name().toLowerCase(Locale.ROOT).equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                HttpRequestContext.invalid(
                    "the bound is newer or newer_or_equal, unlike \"" + word + "\""));
  }

  /** Returns the answer to a push. */
  static RouteResponse answer(
      HttpRequestContext httpRequestContext,
      RecordRenderer bodies,
      ConcernMove concernMove,
      PushResult result) {
    if (result instanceof PushResult.Updated updated) {
      return updated(httpRequestContext, bodies, concernMove, updated.now());
    }
    Optional<ConcernValue> actual = ((PushResult.Conflict) result).actual();
    if (actual.isEmpty()) {
      JsonNode none = JsonNodeFactory.instance.nullNode();
      return ConflictProblems.of(
          httpRequestContext, concernMove.conflict, concernMove.description(), none);
    }
    Body shown = bodies.value(concernMove.address, actual.get(), httpRequestContext);
    return ConflictProblems.of(
            httpRequestContext, concernMove.conflict, concernMove.description(), shown.json())
        .with("ETag", shown.tag());
  }

  private static RouteResponse updated(
      HttpRequestContext httpRequestContext,
      RecordRenderer bodies,
      ConcernMove concernMove,
      ConcernValue now) {
    Body shown = bodies.value(concernMove.address, now, httpRequestContext);
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("result", "updated");
    json.set("now", shown.json());
    return new RouteResponse.Json(200, RouteResponse.JSON, json, Map.of("ETag", shown.tag()));
  }
}
