// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import io.tidemark.api.WireJson;
import io.tidemark.api.features.CollectionAdministration;
import io.tidemark.api.features.CollectionSettings;
import io.tidemark.api.features.CollectionsRequest;
import io.tidemark.api.features.FeatureCollectionExistsException;
import io.tidemark.api.features.FeatureCollectionInfo;
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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Collections of features. */
final class CollectionRoutes {

  private static final String ALL = "/v1/collections";
  private static final String ONE = ALL + "/{collection}";

  private final Desk desk;

  CollectionRoutes(Desk desk) {
    this.desk = desk;
  }

  /** Whether states that are replaced are kept. */
  private record History(boolean enabled) {}

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
    List<FeatureCollectionInfo> shown =
        desk.reading(call).collections(new CollectionsRequest(call.flag("deleted"))).stream()
            .filter(info -> call.caller().may(Action.READ, Realm.FEATURES, info.id()))
            .sorted(Comparator.comparing(FeatureCollectionInfo::id))
            .toList();
    return Reply.ok(
        PageToken.pageOf(call, shown, FeatureCollectionInfo::id, FeatureCollectionInfo::json));
  }

  private Reply info(Call call) {
    return Reply.ok(desk.reading(call).collection(id(call)).administration().info().json());
  }

  private Reply create(Call call) throws IOException {
    CollectionSettings settings = call.body(CollectionSettings.class);
    try {
      return Reply.json(201, administration(call).create(settings).json());
    } catch (FeatureCollectionExistsException e) {
      throw new ProblemException(Problem.of(e).with("actual", e.actual().json()));
    }
  }

  private CollectionAdministration administration(Call call) {
    return desk.writing(call, id(call)).collection(id(call)).administration();
  }

  private Reply update(Call call) throws IOException {
    return update(call, call.body(CollectionSettings.class));
  }

  private Reply history(Call call) throws IOException {
    boolean enabled = call.body(History.class).enabled();
    return update(call, CollectionSettings.none().withHistoryEnabled(Optional.of(enabled)));
  }

  /** To drop states that are kept now takes more than the right to write. */
  private Reply update(Call call, CollectionSettings settings) {
    if (settings.maxAge().isPresent()
        || settings.autoPurge().orElse(false)
        || !settings.historyEnabled().orElse(true)) {
      call.caller().require(Action.ADMIN, Realm.FEATURES, id(call));
    }
    return Reply.ok(administration(call).update(settings).json());
  }

  private Reply delete(Call call) {
    return Reply.ok(WireJson.tree(administration(call).delete()));
  }

  private Reply restore(Call call) {
    return Reply.ok(administration(call).restore().json());
  }

  private Reply purge(Call call) {
    return Reply.ok(WireJson.tree(administration(call).purge()));
  }

  private static String id(Call call) {
    return call.path("collection");
  }
}
