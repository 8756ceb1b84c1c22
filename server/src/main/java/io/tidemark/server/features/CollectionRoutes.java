// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.collection.CollectionExistsException;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.collection.Collections;
import io.tidemark.features.collection.Creation;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.view.CollectionJson;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.PageToken;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Collections of features. */
final class CollectionRoutes {

  private static final String ALL = "/v1/collections";
  private static final String ONE = ALL + "/{collection}";

  private final Desk desk;

  CollectionRoutes(Desk desk) {
    this.desk = desk;
  }

  List<Route> routes() {
    return List.of(
        new Route("GET", ALL, Need.some(Action.READ, Realm.FEATURES), this::list),
        new Route("GET", ONE, Desk.reads(), this::info),
        new Route("PUT", ONE, Desk.writes(), this::create),
        new Route("PATCH", ONE, Desk.writes(), this::update),
        new Route("DELETE", ONE, Desk.writes(), this::delete),
        new Route("PUT", ONE + "/history", Desk.writes(), this::history),
        new Route("POST", ONE + "/restore", Desk.writes(), this::restore),
        new Route(
            "POST",
            ONE + "/purge",
            Need.of(Action.ADMIN, Realm.FEATURES, "collection"),
            this::purge));
  }

  private Reply list(Call call) {
    boolean deleted = call.flag("deleted");
    String after = PageToken.of(call).orElse("");
    int most = call.pageSize();
    List<CollectionInfo> found =
        desk
            .read(
                call, reading -> deleted ? reading.collectionsWithDeleted() : reading.collections())
            .stream()
            .filter(info -> info.id().compareTo(after) > 0)
            .filter(info -> call.caller().may(Action.READ, Realm.FEATURES, info.id()))
            .sorted(java.util.Comparator.comparing(CollectionInfo::id))
            .limit(most + 1L)
            .toList();
    List<CollectionInfo> page = found.subList(0, Math.min(most, found.size()));
    Optional<String> next =
        found.size() > most ? Optional.of(page.get(page.size() - 1).id()) : Optional.empty();
    return Reply.ok(PageToken.page(page.stream().map(CollectionInfo::json).toList(), next));
  }

  private Reply info(Call call) {
    return Reply.ok(desk.read(call, reading -> reading.collection(id(call))).json());
  }

  private Reply create(Call call) throws IOException {
    CollectionOptions options = CollectionOptions.of(call.bodyIfAny());
    Creation creation =
        desk.features()
            .transact(desk.actor(call, id(call)), tx -> tx.collections().create(id(call), options));
    if (creation instanceof Creation.Exists there) {
      CollectionExistsException problem = new CollectionExistsException(there.info());
      throw new ProblemException(Problem.of(problem).with("actual", there.info().json()));
    }
    return Reply.json(201, ((Creation.Created) creation).info().json());
  }

  /** What lets states go that are kept now takes more than the right to write. */
  private Reply update(Call call) throws IOException {
    ObjectNode body = call.body();
    if (body.has("maxAge")
        || body.path("autoPurge").asBoolean()
        || (body.has("historyEnabled") && !body.path("historyEnabled").asBoolean())) {
      requireAdmin(call);
    }
    CollectionOptions options = CollectionOptions.of(body);
    return change(call, all -> all.update(id(call), options).json());
  }

  private Reply history(Call call) throws IOException {
    ObjectNode body = call.body();
    JsonNode enabled = body.path("enabled");
    if (!enabled.isBoolean()) {
      throw Call.invalid("the body needs \"enabled\", true or false");
    }
    if (!enabled.booleanValue()) {
      requireAdmin(call);
    }
    return change(
        call,
        all ->
            (enabled.booleanValue() ? all.enableHistory(id(call)) : all.disableHistory(id(call)))
                .json());
  }

  private static void requireAdmin(Call call) {
    call.caller().require(Action.ADMIN, Realm.FEATURES, id(call));
  }

  private Reply delete(Call call) {
    return change(call, all -> CollectionJson.deleted(id(call), all.delete(id(call))));
  }

  private Reply restore(Call call) {
    return change(call, all -> all.restore(id(call)).json());
  }

  private Reply purge(Call call) {
    return change(call, all -> CollectionJson.purged(id(call), all.purge(id(call))));
  }

  private Reply change(Call call, Function<Collections, JsonNode> change) {
    return Reply.ok(
        desk.features().transact(desk.actor(call, id(call)), tx -> change.apply(tx.collections())));
  }

  private static String id(Call call) {
    return call.path("collection");
  }
}
