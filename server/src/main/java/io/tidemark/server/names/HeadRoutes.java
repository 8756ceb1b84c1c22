// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.Ledgers;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.PushResult;
import io.tidemark.names.Ref;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Route.DispatchClass;
import io.tidemark.server.http.RouteResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Routes of the heads of a ledger as ids with their {@code t}, without other payload. */
final class HeadRoutes {

  private static final String LIKE = "like {\"id\":\"...\",\"t\":1}, or null for unborn";

  private final NameService names;
  private final RecordRenderer bodies;

  HeadRoutes(NameService names, RecordRenderer bodies) {
    this.names = names;
    this.bodies = bodies;
  }

  List<Route> routes() {
    return List.of(
        new Route("GET", "/v1/names/{address}/heads", NameRoutes.READ, this::show)
            .withDispatchClass(DispatchClass.LOOKUP),
        new Route("POST", "/v1/names/{address}/heads", NameRoutes.WRITE, this::publish),
        new Route("POST", "/v1/names/{address}/reset", NameRoutes.WRITE, this::reset));
  }

  private RouteResponse show(HttpRequestContext httpRequestContext) {
    Address address = NameRoutes.address(httpRequestContext);
    Optional<Ledgers.Heads> heads = names.ledgers().heads(address);
    if (heads.isEmpty()) {
      return ConflictProblems.notFound(address);
    }
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.set("commit", json(heads.get().commit()));
    json.set("index", json(heads.get().index()));
    return NameRoutes.shown(httpRequestContext, new RecordRenderer.Body(json, ETags.of(json)));
  }

  private static JsonNode json(Ref ref) {
    return ref.id()
        .<JsonNode>map(id -> JsonNodeFactory.instance.objectNode().put("id", id).put("t", ref.t()))
        .orElseGet(JsonNodeFactory.instance::nullNode);
  }

  /** Advances one head: from any state, or the head of the ledger from an expected one. */
  private RouteResponse publish(HttpRequestContext httpRequestContext) throws IOException {
    Address address = NameRoutes.address(httpRequestContext);
    ObjectNode body = httpRequestContext.lenientBody();
    if (body.has("commit") == body.has("index")) {
      throw HttpRequestContext.invalid("the body needs either \"commit\" or \"index\", " + LIKE);
    }
    if (body.has("commit")) {
      Ref commit = ref(body.path("commit"));
      PushResult result =
          body.has("expected")
              ? names.ledgers().compareAndSetCommit(address, expected(body), commit)
              : names.ledgers().publishCommit(address, commit);
      return answer(httpRequestContext, address, Concern.HEAD, result);
    }
    return answer(httpRequestContext, address, Concern.INDEX, publishIndex(address, body));
  }

  private PushResult publishIndex(Address address, ObjectNode body) {
    Ref index = ref(body.path("index"));
    if (names.graphSources().find(address).isPresent()) {
      if (body.has("expected")) {
        throw HttpRequestContext.invalid(
            "\"expected\" is for ledgers, and " + address + " is a graph source");
      }
      return names.graphSources().publishIndex(address, index);
    }
    if (body.has("expected")) {
      return names.ledgers().compareAndSetIndex(address, expected(body), index);
    }
    return body.path("allow_equal").asBoolean()
        ? names.ledgers().publishIndexAllowEqual(address, index)
        : names.ledgers().publishIndex(address, index);
  }

  private static Optional<Ref> expected(ObjectNode body) {
    JsonNode expected = body.path("expected");
    return expected.isNull() ? Optional.empty() : Optional.of(ref(expected));
  }

  private RouteResponse answer(
      HttpRequestContext httpRequestContext, Address address, Concern concern, PushResult result) {
    return ConcernRoutes.answer(
        httpRequestContext,
        bodies,
        new ConcernRoutes.ConcernMove(address, concern, ConflictProblems.IN_BODY),
        result);
  }

  /**
   * Sets the heads, also backwards. Without an index in the body, the index stays unless it is
   * newer than the head.
   */
  private RouteResponse reset(HttpRequestContext httpRequestContext) throws IOException {
    Address address = NameRoutes.address(httpRequestContext);
    ObjectNode body = httpRequestContext.lenientBody();
    if (!body.has("commit")) {
      throw HttpRequestContext.invalid("the body needs \"commit\", " + LIKE);
    }
    Ref commit = refOrUnborn(body.path("commit"));
    NameRecord record =
        body.has("index")
            ? names
                .ledgers()
                .reset(address, new Ledgers.Heads(commit, refOrUnborn(body.path("index"))))
            : names.ledgers().resetCommit(address, commit);
    return NameRoutes.tagged(200, bodies.record(record, httpRequestContext));
  }

  private static Ref refOrUnborn(JsonNode json) {
    return json.isNull() ? Ref.UNBORN : ref(json);
  }

  static Ref ref(JsonNode json) {
    JsonNode t = json.path("t");
    if (!t.isIntegralNumber() || !t.canConvertToLong()) {
      throw HttpRequestContext.invalid("a head is " + LIKE);
    }
    return Ref.of(HttpRequestContext.text(json, "id"), t.longValue());
  }
}
