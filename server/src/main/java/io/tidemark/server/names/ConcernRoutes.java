// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.Change;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameService;
import io.tidemark.names.PushResult;
import io.tidemark.names.view.RecordJson;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Route.Lane;
import io.tidemark.server.names.RecordBodies.Body;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The concerns of a record, each moved by compare-and-set. */
final class ConcernRoutes {

  /**
   * A concern that was to be moved.
   *
   * @param conflict the status of an answer that says it wasn't as expected
   */
  record Moved(Address address, Concern concern, int conflict) {
    String what() {
      return concern.word() + " of " + address;
    }
  }

  /** Who may only lock pushes a status with a lock in it, and nothing else. */
  private static final Need PUSH =
      Need.either(EnumSet.of(Action.WRITE, Action.LOCK), Realm.NAMES, "address");

  private final NameService names;
  private final RecordBodies bodies;
  private final LockFence fence;

  ConcernRoutes(NameService names, RecordBodies bodies) {
    this.names = names;
    this.bodies = bodies;
    this.fence = new LockFence(names);
  }

  List<Route> routes() {
    return List.of(
        new Route("GET", "/v1/names/{address}/{concern}", NameRoutes.READ, this::show)
            .in(Lane.LOOKUP),
        new Route("PUT", "/v1/names/{address}/{concern}", PUSH, this::push),
        new Route(
            "POST", "/v1/names/{address}/{concern}/advance", NameRoutes.WRITE, this::advance));
  }

  private Reply show(Call call) {
    Address address = NameRoutes.address(call);
    Concern concern = concern(call);
    Optional<ConcernValue> value = names.get(address, concern);
    return value.isPresent()
        ? NameRoutes.shown(call, bodies.value(address, value.get(), call))
        : Conflicts.notFound(address);
  }

  private static Concern concern(Call call) {
    String word = call.path("concern");
    return Stream.of(Concern.values())
        .filter(concern -> concern.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new ProblemException(
                    Problem.of(
                        404,
                        "no-route",
                        "a record has head, index, status and config; see /openapi.json")));
  }

  private Reply push(Call call) throws IOException {
    Address address = NameRoutes.address(call);
    Concern concern = concern(call);
    if (concern != Concern.STATUS) {
      call.caller().require(Action.WRITE, Realm.NAMES, address.toString());
    }
    ObjectNode body = call.anyBody();
    ConcernValue next = RecordJson.value(body.path("next"), "next " + concern.word());
    fence.require(address, body.path("lock"));
    Optional<ConcernValue> expected;
    int conflict = Conflicts.IN_HEADER;
    Optional<String> tag = call.header("If-Match");
    if (tag.isPresent()) {
      expected = names.get(address, concern);
      Moved moved = new Moved(address, concern, conflict);
      if (expected.isEmpty() || !Tags.matches(tag.get(), tag(moved, expected.get(), call))) {
        return answer(call, bodies, moved, new PushResult.Conflict(expected));
      }
    } else if (call.header("If-None-Match").isPresent()) {
      requireAny(call);
      expected = Optional.empty();
    } else {
      expected = expected(body, concern);
      conflict = Conflicts.IN_BODY;
    }
    if (concern == Concern.STATUS) {
      StatusRights.require(call.caller(), address, expected.orElse(ConcernValue.UNBORN), next);
    }
    PushResult result = names.push(address, concern, expected, next);
    return answer(call, bodies, new Moved(address, concern, conflict), result);
  }

  static void requireAny(Call call) {
    if (!call.header("If-None-Match").orElse("").equals(Tags.ANY)) {
      throw Call.invalid("a write takes If-None-Match: * alone, which says that there is nothing");
    }
  }

  private String tag(Moved moved, ConcernValue value, Call call) {
    return bodies.value(moved.address, value, call).tag();
  }

  /** Null says that there is no such record; to say nothing isn't enough. */
  private static Optional<ConcernValue> expected(ObjectNode body, Concern concern) {
    JsonNode expected = body.get("expected");
    if (expected == null) {
      throw Call.invalid(
          "the body needs \"expected\", the state it has now or null for no such record; or the"
              + " request If-Match, or If-None-Match: *");
    }
    return expected.isNull()
        ? Optional.empty()
        : Optional.of(RecordJson.value(expected, "expected " + concern.word()));
  }

  private Reply advance(Call call) throws IOException {
    Address address = NameRoutes.address(call);
    Concern concern = concern(call);
    ObjectNode body = call.anyBody();
    ConcernValue next = RecordJson.value(body.path("next"), "next " + concern.word());
    Change.Advance change = new Change.Advance(concern, next, bound(body));
    fence.require(address, body.path("lock"));
    Moved moved = new Moved(address, concern, Conflicts.IN_BODY);
    return answer(call, bodies, moved, names.advance(address, change));
  }

  private static Change.Bound bound(ObjectNode body) {
    String word = body.path("bound").asText("newer");
    return Stream.of(Change.Bound.values())
        .filter(bound -> bound.name().toLowerCase(Locale.ROOT).equals(word))
        .findFirst()
        .orElseThrow(
            () -> Call.invalid("the bound is newer or newer_or_equal, unlike \"" + word + "\""));
  }

  /** How a push ended. */
  static Reply answer(Call call, RecordBodies bodies, Moved moved, PushResult result) {
    if (result instanceof PushResult.Updated updated) {
      return updated(call, bodies, moved, updated.now());
    }
    Optional<ConcernValue> actual = ((PushResult.Conflict) result).actual();
    if (actual.isEmpty()) {
      JsonNode none = JsonNodeFactory.instance.nullNode();
      return Conflicts.of(call, moved.conflict, moved.what(), none);
    }
    Body shown = bodies.value(moved.address, actual.get(), call);
    return Conflicts.of(call, moved.conflict, moved.what(), shown.json()).with("ETag", shown.tag());
  }

  private static Reply updated(Call call, RecordBodies bodies, Moved moved, ConcernValue now) {
    Body shown = bodies.value(moved.address, now, call);
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("result", "updated");
    json.set("now", shown.json());
    return new Reply.Json(200, Reply.JSON, json, Map.of("ETag", shown.tag()));
  }
}
