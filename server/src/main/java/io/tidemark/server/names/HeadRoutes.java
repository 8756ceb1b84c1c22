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
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Route.Lane;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The heads of a ledger as ids and their {@code t}, whatever else their payloads say. */
final class HeadRoutes {

  private static final String LIKE = "like {\"id\":\"...\",\"t\":1}, or null for unborn";

  private final NameService names;
  private final RecordBodies bodies;

  HeadRoutes(NameService names, RecordBodies bodies) {
    this.names = names;
    this.bodies = bodies;
  }

  List<Route> routes() {
    return List.of(
        new Route("GET", "/v1/names/{address}/heads", NameRoutes.READ, this::show).in(Lane.LOOKUP),
        new Route("POST", "/v1/names/{address}/heads", NameRoutes.WRITE, this::publish),
        new Route("POST", "/v1/names/{address}/reset", NameRoutes.WRITE, this::reset));
  }

  private Reply show(Call call) {
    Address address = NameRoutes.address(call);
    Optional<Ledgers.Heads> heads = names.ledgers().heads(address);
    if (heads.isEmpty()) {
      return Conflicts.notFound(address);
    }
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.set("commit", json(heads.get().commit()));
    json.set("index", json(heads.get().index()));
    return NameRoutes.shown(call, new RecordBodies.Body(json, Tags.of(json)));
  }

  private static JsonNode json(Ref ref) {
    return ref.id()
        .<JsonNode>map(id -> JsonNodeFactory.instance.objectNode().put("id", id).put("t", ref.t()))
        .orElseGet(JsonNodeFactory.instance::nullNode);
  }

  /** Moves one head forward: from wherever it is, or that of a ledger from an expected one. */
  private Reply publish(Call call) throws IOException {
    Address address = NameRoutes.address(call);
    ObjectNode body = call.anyBody();
    if (body.has("commit") == body.has("index")) {
      throw Call.invalid("the body needs either \"commit\" or \"index\", " + LIKE);
    }
    if (body.has("commit")) {
      Ref commit = ref(body.path("commit"));
      PushResult result =
          body.has("expected")
              ? names.ledgers().compareAndSetCommit(address, expected(body), commit)
              : names.ledgers().publishCommit(address, commit);
      return answer(call, address, Concern.HEAD, result);
    }
    return answer(call, address, Concern.INDEX, publishIndex(address, body));
  }

  private PushResult publishIndex(Address address, ObjectNode body) {
    Ref index = ref(body.path("index"));
    if (names.graphSources().find(address).isPresent()) {
      if (body.has("expected")) {
        throw Call.invalid("\"expected\" is for ledgers, and " + address + " is a graph source");
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

  private Reply answer(Call call, Address address, Concern concern, PushResult result) {
    return ConcernRoutes.answer(
        call, bodies, new ConcernRoutes.Moved(address, concern, Conflicts.IN_BODY), result);
  }

  /** Sets the heads, backwards too. Without an index what is indexed stays, unless it is newer. */
  private Reply reset(Call call) throws IOException {
    Address address = NameRoutes.address(call);
    ObjectNode body = call.anyBody();
    if (!body.has("commit")) {
      throw Call.invalid("the body needs \"commit\", " + LIKE);
    }
    Ref commit = refOrUnborn(body.path("commit"));
    NameRecord record =
        body.has("index")
            ? names
                .ledgers()
                .reset(address, new Ledgers.Heads(commit, refOrUnborn(body.path("index"))))
            : names.ledgers().resetCommit(address, commit);
    return NameRoutes.tagged(200, bodies.record(record, call));
  }

  private static Ref refOrUnborn(JsonNode json) {
    return json.isNull() ? Ref.UNBORN : ref(json);
  }

  static Ref ref(JsonNode json) {
    JsonNode t = json.path("t");
    if (!t.isIntegralNumber() || !t.canConvertToLong()) {
      throw Call.invalid("a head is " + LIKE);
    }
    return Ref.of(Call.text(json, "id"), t.longValue());
  }
}
