// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.api.Streamed;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.FeatureMoment;
import io.tidemark.api.features.FeatureQueryRequest;
import io.tidemark.features.bulk.output.Framing;
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
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Features by place, tags, properties and more: in pages, or streamed without an end. */
final class QueryRoutes {

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
    FeatureQueryRequest request = request(call);
    return wantsStream(call) ? stream(call, request) : page(call, request.limit(call.pageSize()));
  }

  private Reply ofSeveral(Call call) throws IOException {
    FeatureQueryRequest request = call.body(FeatureQueryRequest.class);
    request.collections().forEach(id -> call.caller().require(Action.READ, Realm.FEATURES, id));
    if (call.flag("explain")) {
      return Reply.ok(WireJson.tree(desk.reading(call).queries().explain(limited(call, request))));
    }
    return wantsStream(call) ? stream(call, request) : page(call, limited(call, request));
  }

  private static FeatureQueryRequest limited(Call call, FeatureQueryRequest request) {
    int most = call.limits().pageSize();
    int limit = request.limit().orElse(Math.min(100, most));
    if (limit > most) {
      throw Call.invalid(
          "a page has at most %d features; go on with its \"next\" as \"cursor\"".formatted(most));
    }
    return request.limit(limit);
  }

  private Reply page(Call call, FeatureQueryRequest request) {
    return Desk.geoJson(WireJson.tree(desk.reading(call).queries().page(request)));
  }

  private static boolean wantsStream(Call call) {
    return call.header("Accept")
        .filter(type -> type.contains(Framing.RFC_8142.mediaType()))
        .isPresent();
  }

  private Reply stream(Call call, FeatureQueryRequest request) {
    boolean wide = WideNumbers.asText(call);
    Streamed<FeatureQueryRequest, ObjectNode> found = desk.reading(call).queries().stream(request);
    return new Reply.Streamed(
        200,
        Framing.RFC_8142.mediaType(),
        Reply.Writing.holding(
            found::close, out -> Sequence.write(found, out, Framing.RFC_8142, wide)),
        Map.of());
  }

  private static FeatureQueryRequest request(Call call) {
    return new FeatureQueryRequest(
        List.of(call.path("collection")),
        Optional.of(call.queries("id")).filter(ids -> !ids.isEmpty()),
        call.query("bbox"),
        call.query("tile"),
        call.query("hereTile"),
        whole(call, "margin", Integer.MIN_VALUE),
        call.query("near"),
        call.query("geometry").map(TextNode::valueOf),
        call.query("radius").map(QueryRoutes::radius),
        call.flag("outside"),
        call.flag("clip"),
        call.queries("tags"),
        call.queries("where"),
        call.queries("select").stream().flatMap(list -> Stream.of(list.split(","))).toList(),
        call.query("order"),
        whole(call, "limit", 1),
        call.query("cursor"),
        call.query("at").map(FeatureMoment::new),
        call.flag("deleted"),
        call.flag("versions"));
  }

  private static OptionalInt whole(Call call, String name, int least) {
    return call.number(name, least, Integer.MAX_VALUE).stream().mapToInt(Long::intValue).findAny();
  }

  private static double radius(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw Call.invalid("the parameter radius is a number, unlike \"" + text + "\"");
    }
  }
}
