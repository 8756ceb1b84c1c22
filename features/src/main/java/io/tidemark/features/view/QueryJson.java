// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.query.Area;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.Field;
import io.tidemark.features.query.Filter;
import io.tidemark.features.query.Order;
import io.tidemark.features.query.Tags;
import io.tidemark.features.query.Tile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * A question as JSON. Only its {@code collections} are needed, a list of ids:
 *
 * <ul>
 *   <li>{@code ids}: a list
 *   <li>{@code bbox}: {@code "west,south,east,north"} or four numbers; {@code tile} or {@code
 *       hereTile}: a quadkey, with a {@code margin} in pixels; {@code near}: {@code
 *       "lon,lat,metres"}; {@code geometry}: GeoJSON, with a {@code radius} in metres; {@code
 *       outside}: whether what doesn't touch the one place is meant; {@code clip}: whether
 *       geometries are cut to the place
 *   <li>{@code tags} as {@link Tags#parse}, {@code where} as {@link Filter#parse}, {@code select}
 *       as {@link Field#parse}: each a text or a list of them
 *   <li>{@code order} as {@link Order#parse}, {@code limit}, {@code cursor}: what the page before
 *       named as its next
 *   <li>one of {@code at} as {@link Past#parse}, {@code deleted} (those too) and {@code versions}
 *       (all states)
 * </ul>
 */
public final class QueryJson {

  /** All members that a question can have. */
  public static final Set<String> MEMBERS =
      Set.of(
          "collections",
          "ids",
          "bbox",
          "tile",
          "hereTile",
          "margin",
          "near",
          "geometry",
          "radius",
          "outside",
          "clip",
          "tags",
          "where",
          "select",
          "order",
          "limit",
          "cursor",
          "at",
          "deleted",
          "versions");

  private QueryJson() {}

  /**
   * Reads a question.
   *
   * @throws InvalidRequestException if it can't be understood
   */
  public static FeatureQuery parse(ObjectNode json) {
    Members asked = new Members(json, "a query").only(MEMBERS);
    FeatureQuery.Builder query =
        FeatureQuery.from(asked.texts("collections").toArray(String[]::new));
    if (asked.value("ids").isPresent()) {
      query.ids(asked.texts("ids"));
    }
    place(asked, query);
    List<String> tags = asked.texts("tags");
    if (!tags.isEmpty()) {
      query.tagged(Tags.parse(tags.toArray(String[]::new)));
    }
    asked.texts("where").forEach(condition -> query.where(Filter.parse(condition)));
    List<String> selected = asked.texts("select");
    if (!selected.isEmpty()) {
      query.select(selected.stream().map(Field::parse).toList());
    }
    asked.text("order").map(Order::parse).ifPresent(query::orderBy);
    asked.whole("limit").map(QueryJson::within).ifPresent(query::limit);
    asked.text("cursor").ifPresent(query::after);
    states(asked, query);
    return query.build();
  }

  private static void states(Members asked, FeatureQuery.Builder query) {
    Optional<Past> past = asked.text("at").map(Past::parse);
    boolean deleted = asked.flag("deleted");
    boolean versions = asked.flag("versions");
    if ((past.isPresent() ? 1 : 0) + (deleted ? 1 : 0) + (versions ? 1 : 0) > 1) {
      throw new InvalidRequestException(
          "\"at\", \"deleted\" and \"versions\" exclude one another; give one");
    }
    past.map(Past::states).ifPresent(query::states);
    if (deleted) {
      query.withDeleted();
    } else if (versions) {
      query.allVersions();
    }
  }

  private static void place(Members asked, FeatureQuery.Builder query) {
    List<Area> areas = new ArrayList<>();
    asked.value("bbox").map(box -> Area.box(edges(box))).ifPresent(areas::add);
    Optional<Integer> margin = asked.whole("margin").map(QueryJson::within);
    asked
        .text("tile")
        .map(quadkey -> Tile.web(quadkey).box(margin.orElse(0)))
        .ifPresent(areas::add);
    asked
        .text("hereTile")
        .map(quadkey -> Tile.here(quadkey).box(margin.orElse(0)))
        .ifPresent(areas::add);
    asked.text("near").map(QueryJson::around).ifPresent(areas::add);
    Optional<Double> radius = asked.number("radius");
    Optional<String> geometry = asked.value("geometry").map(QueryJson::geometry);
    geometry
        .map(
            shape ->
                radius.isPresent() ? Area.around(shape, radius.get()) : Area.intersecting(shape))
        .ifPresent(areas::add);
    if (radius.isPresent() && geometry.isEmpty()) {
      throw new InvalidRequestException(
          "\"radius\" goes with \"geometry\"; around a place it is \"near\"");
    }
    if (asked.flag("outside")) {
      query.in(outside(areas));
    } else if (!areas.isEmpty()) {
      query.in(areas.size() == 1 ? areas.get(0) : Area.all(areas.toArray(Area[]::new)));
    }
    if (asked.flag("clip")) {
      query.clip();
    }
  }

  private static Area outside(List<Area> areas) {
    if (areas.size() != 1) {
      throw new InvalidRequestException(
          "\"outside\" goes with one place, and there are %d".formatted(areas.size()));
    }
    return Area.not(areas.get(0));
  }

  /** What is beyond is refused as such, whatever it is. */
  private static int within(long number) {
    return (int) Math.max(-1, Math.min(Integer.MAX_VALUE, number));
  }

  private static String edges(JsonNode box) {
    return box.isArray()
        ? String.join(
            ",", StreamSupport.stream(box.spliterator(), false).map(JsonNode::asText).toList())
        : box.asText();
  }

  private static Area around(String text) {
    String[] numbers = text.split(",", -1);
    try {
      if (numbers.length == 3) {
        return Area.around(
            Double.parseDouble(numbers[0].strip()),
            Double.parseDouble(numbers[1].strip()),
            Double.parseDouble(numbers[2].strip()));
      }
    } catch (NumberFormatException e) {
      // Said below, as is another number of them.
    }
    throw new InvalidRequestException(
        "\"near\" takes LON,LAT,METRES such as 8.61,50.12,500, unlike '%s'".formatted(text));
  }

  /** Of a feature its own. */
  private static String geometry(JsonNode given) {
    if (given.isTextual()) {
      return given.textValue();
    }
    return given.path("type").asText().equals("Feature")
        ? given.path("geometry").toString()
        : given.toString();
  }
}
