// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.activity.Activity;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Guid;
import io.tidemark.features.model.Xyz;
import io.tidemark.features.read.Reading;
import io.tidemark.features.read.Stretch;
import io.tidemark.features.view.FeatureJson;
import io.tidemark.features.view.Past;
import io.tidemark.features.view.RowsJson;
import io.tidemark.features.view.WritesJson;
import io.tidemark.features.write.RowResult;
import io.tidemark.features.write.Write;
import io.tidemark.features.write.Written;
import io.tidemark.names.NotFoundException;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.WideNumbers;
import io.tidemark.server.problem.Problem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Features by their names, as they are and as they were, and their changes. */
final class StateRoutes {

  private static final String ALL = "/v1/collections/{collection}/features";
  private static final String ONE = ALL + "/{id}";

  private final Desk desk;

  StateRoutes(Desk desk) {
    this.desk = desk;
  }

  List<Route> routes() {
    return List.of(
        new Route("POST", ALL, Desk.writes(), this::write),
        new Route("GET", ONE, Desk.reads(), this::show),
        new Route("PUT", ONE, Desk.writes(), this::put),
        new Route("DELETE", ONE, Desk.writes(), this::delete),
        new Route("GET", ONE + "/history", Desk.reads(), this::history),
        new Route("GET", ONE + "/activity", Desk.reads(), this::activity),
        new Route("GET", ONE + "/at/{moment}", Desk.reads(), this::at),
        new Route("POST", "/v1/collections/{collection}/lookup", Desk.reads(), this::lookup)
            .reading(),
        new Route("GET", "/v1/guids/{guid}", Need.some(Action.READ, Realm.FEATURES), this::byGuid));
  }

  private Reply write(Call call) throws IOException {
    WritesJson batch = WritesJson.parse(KeyedIds.given(call, call.body()));
    String collection = call.path("collection");
    Written written =
        desk.features()
            .write(desk.actor(call, collection), collection, batch.writes(), batch.messages());
    return written
        .result()
        .firstProblem()
        .map(problem -> undone(call, problem, written))
        .orElseGet(() -> Reply.ok(RowsJson.of(written)));
  }

  /** Nothing of a batch was done, with what became of each row. */
  private static Reply undone(Call call, RowResult problem, Written written) {
    JsonNode rows = RowsJson.of(written).path("rows");
    return Reply.problem(
        problem(problem, 409)
            .with("committed", BooleanNode.FALSE)
            .with("rows", WideNumbers.asText(call) ? WideNumbers.asText(rows) : rows));
  }

  private static Problem problem(RowResult row, int conflict) {
    if (row instanceof RowResult.Conflict other) {
      return Problem.of(
          conflict, "conflict", other.message() + "; nothing was written: look at it, then decide");
    }
    if (row instanceof RowResult.Missing missing) {
      return Problem.of(404, "not-found", missing.message() + "; nothing was written");
    }
    return Problem.of(400, "invalid-feature", ((RowResult.Invalid) row).message());
  }

  private Reply show(Call call) {
    String id = call.path("id");
    Optional<Feature> found =
        desk.read(
            call,
            reading ->
                call.flag("deleted")
                    ? reading.deleted(call.path("collection"), List.of(id)).stream().findFirst()
                    : reading.byId(call.path("collection"), id));
    return state(call, found, id);
  }

  private static Reply state(Call call, Optional<Feature> found, String name) {
    Feature feature =
        found.orElseThrow(() -> new NotFoundException("there is no feature '" + name + "'"));
    Optional<String> tag = tag(feature);
    boolean known =
        call.header("If-None-Match")
            .filter(list -> tag.isPresent() && List.of(list.split(", *")).contains(tag.get()))
            .isPresent();
    return tagged(
        known ? Reply.empty(304) : Desk.geoJson(FeatureJson.of(feature)), Optional.of(feature));
  }

  private static Optional<String> tag(Feature feature) {
    return feature.xyz().flatMap(Xyz::uuid).map(uuid -> '"' + uuid + '"');
  }

  private static Reply tagged(Reply reply, Optional<Feature> state) {
    return state.flatMap(StateRoutes::tag).map(tag -> reply.with("ETag", tag)).orElse(reply);
  }

  private Reply put(Call call) throws IOException {
    String id = call.path("id");
    ObjectNode sent = call.body();
    if (!sent.hasNonNull("id")) {
      sent.put("id", id);
    }
    Feature feature = Feature.of(sent);
    if (!feature.id().orElse("").equals(id)) {
      throw Call.invalid(
          "the feature has the id '%s', its path '%s'; give the same, or none in the feature"
              .formatted(feature.id().orElse(""), id));
    }
    Optional<String> expected = expected(call);
    boolean fresh = call.header("If-None-Match").isPresent();
    if (fresh && (expected.isPresent() || !call.header("If-None-Match").get().equals("*"))) {
      throw Call.invalid("If-None-Match takes * only, and goes without If-Match");
    }
    if (fresh) {
      return one(call, Write.create(feature));
    }
    return one(
        call,
        expected.isEmpty()
            ? Write.upsert(feature)
            : new Write.Update(feature, expected.filter(tag -> !tag.equals("*")).orElse(null)));
  }

  private Reply delete(Call call) {
    Optional<String> expected = expected(call);
    return one(
        call,
        new Write.Delete(call.path("id"), expected.filter(tag -> !tag.equals("*")).orElse(null)));
  }

  /** The uuid that a feature must have, or * for any; empty when nothing is expected. */
  private static Optional<String> expected(Call call) {
    Optional<String> header = call.header("If-Match");
    if (header.isEmpty() || header.get().equals("*")) {
      return header;
    }
    String tag = header.get();
    if (tag.length() < 3 || !tag.startsWith("\"") || tag.indexOf('"', 1) != tag.length() - 1) {
      throw Call.invalid("If-Match takes one ETag, in double quotes, or *; unlike " + tag);
    }
    return Optional.of(tag.substring(1, tag.length() - 1));
  }

  private Reply one(Call call, Write write) {
    String collection = call.path("collection");
    Written written =
        desk.features().write(desk.actor(call, collection), collection, List.of(write), Map.of());
    RowResult row = written.result().rows().get(0);
    boolean asked = call.header("If-Match").isPresent() || call.header("If-None-Match").isPresent();
    if (row instanceof RowResult.Created created) {
      Reply reply = new Reply.Json(201, Desk.GEO_JSON, FeatureJson.of(created.state()), Map.of());
      return tagged(reply, Optional.of(created.state()));
    }
    if (row instanceof RowResult.Updated updated) {
      return tagged(Desk.geoJson(FeatureJson.of(updated.state())), Optional.of(updated.state()));
    }
    if (row instanceof RowResult.Conflict conflict) {
      Problem problem = problem(row, asked ? 412 : 409);
      Optional<JsonNode> actual = conflict.actual().map(FeatureJson::of);
      return tagged(
          Reply.problem(actual.isPresent() ? problem.with("actual", actual.get()) : problem),
          conflict.actual());
    }
    if (asked && row instanceof RowResult.Missing missing) {
      return Reply.problem(Problem.of(412, "conflict", missing.message()));
    }
    return row.done() ? Reply.ok(RowsJson.of(written)) : Reply.problem(problem(row, 409));
  }

  private Reply history(Call call) {
    Stretch<Feature> states =
        desk.read(
            call,
            reading ->
                reading.versions(
                    call.path("collection"), call.path("id"), PageToken.of(call), call.pageSize()));
    return paged(FeatureJson.of(there(states, call)), states.next());
  }

  private Reply activity(Call call) {
    Stretch<Activity> done =
        desk.read(
            call,
            reading ->
                reading.activity(
                    call.path("collection"), call.path("id"), PageToken.of(call), call.pageSize()));
    return paged(FeatureJson.activities(there(done, call)), done.next());
  }

  private static Reply paged(ObjectNode json, Optional<String> next) {
    return Desk.geoJson(json.put("next", next.map(PageToken::encoded).orElse(null)));
  }

  private static <T> List<T> there(Stretch<T> states, Call call) {
    if (states.items().isEmpty() && PageToken.of(call).isEmpty()) {
      throw new NotFoundException(
          "there is no feature '%s', and there was none".formatted(call.path("id")));
    }
    return states.items();
  }

  private Reply at(Call call) {
    Past past = Past.parse(call.path("moment"));
    String id = call.path("id");
    List<Feature> found =
        desk.read(call, reading -> past.byIds(reading, call.path("collection"), List.of(id)));
    return state(call, found.stream().findFirst(), id);
  }

  private Reply byGuid(Call call) {
    Guid guid = Guid.parse(call.path("guid"));
    call.caller().require(Action.READ, Realm.FEATURES, guid.collection());
    return state(call, desk.read(call, reading -> reading.byGuid(guid)), guid.toString());
  }

  private Reply lookup(Call call) throws IOException {
    ObjectNode body = call.body();
    List<String> ids = new ArrayList<>();
    for (JsonNode id : body.path("ids")) {
      if (!id.isTextual()) {
        throw Call.invalid("\"ids\" is a list of texts, unlike " + id);
      }
      ids.add(id.textValue());
    }
    if (ids.isEmpty() || ids.size() > call.limits().pageSize()) {
      throw Call.invalid(
          "%d ids can't be looked up; give 1 to %d as \"ids\""
              .formatted(ids.size(), call.limits().pageSize()));
    }
    boolean deleted = body.path("deleted").asBoolean();
    Optional<Past> past =
        body.hasNonNull("at") ? Optional.of(Past.parse(Call.text(body, "at"))) : Optional.empty();
    return Desk.geoJson(desk.read(call, reading -> found(call, reading, ids, past, deleted)));
  }

  private static ObjectNode found(
      Call call, Reading reading, List<String> ids, Optional<Past> past, boolean deleted) {
    String collection = call.path("collection");
    List<Feature> found;
    if (past.isPresent()) {
      found = past.get().byIds(reading, collection, ids);
    } else {
      found = deleted ? reading.deleted(collection, ids) : reading.byIds(collection, ids);
    }
    return FeatureJson.found(found, ids, reading.collection(collection));
  }
}
