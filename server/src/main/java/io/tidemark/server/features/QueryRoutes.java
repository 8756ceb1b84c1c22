// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.bulk.output.Framing;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.view.FeatureJson;
import io.tidemark.features.view.PlanJson;
import io.tidemark.features.view.QueryJson;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Need;
import io.tidemark.server.access.Realm;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.WideNumbers;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Features by place, tags, properties and more: in pages, or streamed without an end. */
final class QueryRoutes {

  private static final List<String> TEXTS =
      List.of(
          "bbox",
          "tile",
          "hereTile",
          "margin",
          "near",
          "geometry",
          "radius",
          "order",
          "cursor",
          "at");
  private static final List<String> LISTS = List.of("tags", "where");
  private static final List<String> FLAGS = List.of("outside", "clip", "deleted", "versions");

  private final Desk desk;

  QueryRoutes(Desk desk) {
    this.desk = desk;
  }

  List<Route> routes() {
    return List.of(
        new Route("GET", "/v1/collections/{collection}/features", Desk.reads(), this::ofOne),
        new Route(
                "POST",
                "/v1/features/query",
                Need.some(Action.READ, Realm.FEATURES),
                this::ofSeveral)
            .reading());
  }

  private Reply ofOne(Call call) {
    ObjectNode asked = asked(call);
    if (call.header("Accept")
        .filter(type -> type.contains(Framing.RFC_8142.mediaType()))
        .isPresent()) {
      FeatureQuery query = QueryJson.parse(asked);
      Object unused = desk.read(call, reading -> reading.collection(call.path("collection")));
      boolean wide = WideNumbers.asText(call);
      return new Reply.Streamed(
          200,
          Framing.RFC_8142.mediaType(),
          out -> {
            Sequence sequence = new Sequence(out, Framing.RFC_8142, wide);
            long unusedCount = desk.read(call, reading -> reading.each(query, sequence::write));
            sequence.end();
          },
          Map.of());
    }
    return page(call, asked.put("limit", call.pageSize()));
  }

  private Reply ofSeveral(Call call) throws IOException {
    ObjectNode asked = call.body();
    int most = call.limits().pageSize();
    if (asked.path("limit").asLong(1) > most) {
      throw Call.invalid(
          "a page has at most %d features; go on with its \"next\" as \"cursor\"".formatted(most));
    }
    if (!asked.hasNonNull("limit")) {
      asked.put("limit", Math.min(100, most));
    }
    FeatureQuery query = QueryJson.parse(asked);
    query.collections().forEach(id -> call.caller().require(Action.READ, Realm.FEATURES, id));
    if (call.flag("explain")) {
      return Reply.ok(PlanJson.of(desk.read(call, reading -> reading.explain(query))));
    }
    return page(call, asked);
  }

  private Reply page(Call call, ObjectNode asked) {
    FeatureQuery query = QueryJson.parse(asked);
    return Desk.geoJson(FeatureJson.page(desk.read(call, reading -> reading.query(query))));
  }

  /** The parameters as the question that they are. */
  private static ObjectNode asked(Call call) {
    ObjectNode asked = call.json().createObjectNode();
    asked.putArray("collections").add(call.path("collection"));
    TEXTS.forEach(name -> call.query(name).ifPresent(value -> asked.put(name, value)));
    FLAGS.forEach(name -> asked.put(name, call.flag(name)));
    for (String name : LISTS) {
      call.queries(name).forEach(asked.withArrayProperty(name)::add);
    }
    if (!call.queries("id").isEmpty()) {
      call.queries("id").forEach(asked.putArray("ids")::add);
    }
    ArrayNode selected = asked.putArray("select");
    call.queries("select").forEach(list -> Stream.of(list.split(",")).forEach(selected::add));
    call.query("limit").ifPresent(value -> asked.put("limit", value));
    return asked;
  }
}
