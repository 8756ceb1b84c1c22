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
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.WideNumbers;
import io.tidemark.server.problem.Problem;
import java.io.IOException;
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

  private CollectionService reading(Call call) {
    return desk.reading(call).collection(call.path("collection"));
  }

  private CollectionService writing(Call call) {
    return desk.writing(call, call.path("collection")).collection(call.path("collection"));
  }

  private Reply write(Call call) throws IOException {
    WrittenFeatures written =
        writing(call).write(new FeatureBatch(KeyedIds.given(call, call.body())));
    return written
        .firstProblem()
        .map(problem -> undone(call, problem, written))
        .orElseGet(() -> Reply.ok(WireJson.tree(written)));
  }

  /** Returns the problem of a batch that wasn't written, with the outcome of each row. */
  private static Reply undone(Call call, WrittenFeatures.Row problem, WrittenFeatures written) {
    JsonNode rows = WireJson.tree(written.rows());
    return Reply.problem(
        problem(problem, 409)
            .with("committed", BooleanNode.FALSE)
            .with("rows", WideNumbers.asText(call) ? WideNumbers.asText(rows) : rows));
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

  private Reply show(Call call) {
    String id = call.path("id");
    return state(call, new LookupRequest(List.of(id), Optional.empty(), call.flag("deleted")));
  }

  private Reply at(Call call) {
    return state(
        call, LookupRequest.of(call.path("id")).at(new FeatureMoment(call.path("moment"))));
  }

  private Reply state(Call call, LookupRequest request) {
    return state(call, reading(call).lookup(request).features(), call.path("id"));
  }

  private Reply byGuid(Call call) {
    Guid guid = Guid.parse(call.path("guid"));
    call.caller().require(Action.READ, Realm.FEATURES, guid.collection());
    String name = guid.toString();
    return state(call, desk.reading(call).queries().states(List.of(name)).features(), name);
  }

  private static Reply state(Call call, List<ObjectNode> found, String name) {
    if (found.isEmpty()) {
      throw new NotFoundException("there is no feature '" + name + "'");
    }
    ObjectNode feature = found.get(0);
    Optional<String> tag = tag(feature);
    boolean known =
        call.header("If-None-Match")
            .filter(list -> tag.isPresent() && List.of(list.split(", *")).contains(tag.get()))
            .isPresent();
    return tagged(known ? Reply.empty(304) : Desk.geoJson(feature), feature);
  }

  private static Optional<String> tag(ObjectNode feature) {
    return Optional.ofNullable(
            feature.path("properties").path(Feature.XYZ).path("uuid").textValue())
        .map(uuid -> '"' + uuid + '"');
  }

  private static Reply tagged(Reply reply, ObjectNode state) {
    return tag(state).map(tag -> reply.with("ETag", tag)).orElse(reply);
  }

  private Reply put(Call call) throws IOException {
    FeaturePutResult result = writing(call).put(call.path("id"), call.body(), replaced(call));
    if (result instanceof FeaturePutResult.Created created) {
      return tagged(new Reply.Json(201, Desk.GEO_JSON, created.state(), Map.of()), created.state());
    }
    if (result instanceof FeaturePutResult.Updated updated) {
      return tagged(Desk.geoJson(updated.state()), updated.state());
    }
    FeaturePutResult.Conflict conflict = (FeaturePutResult.Conflict) result;
    return conflict(
        Problem.of(conflictStatus(call), "conflict", conflict.message()), conflict.actual());
  }

  /** Returns the state that a feature must be in to be replaced. */
  private static ExpectedState replaced(Call call) {
    Optional<String> fresh = call.header("If-None-Match");
    ExpectedState expected = expected(call);
    if (fresh.isEmpty()) {
      return expected;
    }
    if (!(expected instanceof ExpectedState.Any) || !fresh.get().equals("*")) {
      throw Call.invalid("If-None-Match takes * only, and goes without If-Match");
    }
    return ExpectedState.absent();
  }

  /** Returns the state that {@code If-Match} tells. */
  private static ExpectedState expected(Call call) {
    Optional<String> header = call.header("If-Match");
    if (header.isEmpty()) {
      return ExpectedState.any();
    }
    String tag = header.get();
    if (tag.equals("*")) {
      return ExpectedState.present();
    }
    if (tag.length() < 3 || !tag.startsWith("\"") || tag.indexOf('"', 1) != tag.length() - 1) {
      throw Call.invalid("If-Match takes one ETag, in double quotes, or *; unlike " + tag);
    }
    return ExpectedState.uuid(tag.substring(1, tag.length() - 1));
  }

  /** Returns the status of a conflict, which depends on whether a state was asked for. */
  private static int conflictStatus(Call call) {
    return isConditional(call) ? 412 : 409;
  }

  private static boolean isConditional(Call call) {
    return call.header("If-Match").isPresent() || call.header("If-None-Match").isPresent();
  }

  private static Reply conflict(Problem problem, Optional<ObjectNode> actual) {
    return actual
        .map(state -> tagged(Reply.problem(problem.with("actual", state)), state))
        .orElseGet(() -> Reply.problem(problem));
  }

  private Reply delete(Call call) {
    FeatureWrite delete = FeatureWrite.delete(call.path("id"));
    WrittenFeatures written =
        writing(call)
            .write(
                FeatureBatch.of(
                    List.of(
                        expected(call) instanceof ExpectedState.Uuid state
                            ? delete.expecting(state.uuid())
                            : delete)));
    WrittenFeatures.Row row = written.rows().get(0);
    if (row.result() == WrittenFeatures.Result.MISSING && isConditional(call)) {
      return Reply.problem(Problem.of(412, "conflict", row.message().orElse("")));
    }
    return row.result().isDone()
        ? Reply.ok(WireJson.tree(written))
        : conflict(problem(row, conflictStatus(call)), row.actual());
  }

  private Reply history(Call call) {
    return page(call, reading(call).history(call.path("id"), call.pageSize(), PageToken.of(call)));
  }

  private Reply activity(Call call) {
    return page(call, reading(call).activity(call.path("id"), call.pageSize(), PageToken.of(call)));
  }

  private static Reply page(Call call, FeaturePage page) {
    if (page.features().isEmpty() && PageToken.of(call).isEmpty()) {
      throw new NotFoundException(
          "there is no feature '%s', and there was none".formatted(call.path("id")));
    }
    return Desk.geoJson(
        WireJson.tree(new FeaturePage(page.features(), page.next().map(PageToken::encoded))));
  }

  private Reply lookup(Call call) throws IOException {
    LookupRequest request = call.body(LookupRequest.class);
    int most = call.limits().pageSize();
    if (request.ids().isEmpty() || request.ids().size() > most) {
      throw Call.invalid(
          "%d ids can't be looked up; give 1 to %d as \"ids\""
              .formatted(request.ids().size(), most));
    }
    return Desk.geoJson(WireJson.tree(reading(call).lookup(request)));
  }
}
