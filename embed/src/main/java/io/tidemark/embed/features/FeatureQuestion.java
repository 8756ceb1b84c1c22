// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.features;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.features.FeatureMoment;
import io.tidemark.api.features.FeatureQueryRequest;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.query.Area;
import io.tidemark.features.query.FeatureField;
import io.tidemark.features.query.FeatureFilter;
import io.tidemark.features.query.FeatureOrder;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.TagFilter;
import io.tidemark.features.query.Tile;
import io.tidemark.features.view.PointInTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Requests for features as queries of the storage. */
final class FeatureQuestion {

  private FeatureQuestion() {}

  /**
   * Parses the texts of a request.
   *
   * @throws InvalidRequestException if one can't be parsed, or if parts exclude one another
   */
  static FeatureQuery of(FeatureQueryRequest request) {
    FeatureQuery.Builder query = FeatureQuery.from(request.collections().toArray(String[]::new));
    request.ids().ifPresent(query::ids);
    place(request, query);
    if (!request.tags().isEmpty()) {
      query.tagged(TagFilter.parse(request.tags().toArray(String[]::new)));
    }
    request.where().forEach(condition -> query.where(FeatureFilter.parse(condition)));
    if (!request.select().isEmpty()) {
      query.select(request.select().stream().map(FeatureField::parse).toList());
    }
    request.order().map(FeatureOrder::parse).ifPresent(query::orderBy);
    request.limit().ifPresent(query::limit);
    request.cursor().ifPresent(query::after);
    states(request, query);
    return query.build();
  }

  private static void states(FeatureQueryRequest request, FeatureQuery.Builder query) {
    Optional<PointInTime> past = request.at().map(FeatureMoment::text).map(PointInTime::parse);
    if ((past.isPresent() ? 1 : 0) + (request.deleted() ? 1 : 0) + (request.versions() ? 1 : 0)
        > 1) {
      throw new InvalidRequestException(
          "\"at\", \"deleted\" and \"versions\" exclude one another; give one");
    }
    past.map(PointInTime::states).ifPresent(query::states);
    if (request.deleted()) {
      query.withDeleted();
    } else if (request.versions()) {
      query.allVersions();
    }
  }

  private static void place(FeatureQueryRequest request, FeatureQuery.Builder query) {
    List<Area> areas = areas(request);
    if (request.outside()) {
      query.in(outside(areas));
    } else if (!areas.isEmpty()) {
      query.in(areas.size() == 1 ? areas.get(0) : Area.all(areas.toArray(Area[]::new)));
    }
    if (request.clip()) {
      query.clip();
    }
  }

  private static List<Area> areas(FeatureQueryRequest request) {
    List<Area> areas = new ArrayList<>();
    int margin = request.margin().orElse(0);
    request.bbox().map(Area::box).ifPresent(areas::add);
    request.tile().map(quadkey -> Tile.web(quadkey).box(margin)).ifPresent(areas::add);
    request.hereTile().map(quadkey -> Tile.here(quadkey).box(margin)).ifPresent(areas::add);
    request.near().map(FeatureQuestion::around).ifPresent(areas::add);
    Optional<Double> radius = request.radius();
    Optional<String> geometry = request.geometry().map(FeatureQuestion::geometry);
    if (radius.isPresent() && geometry.isEmpty()) {
      throw new InvalidRequestException(
          "\"radius\" goes with \"geometry\"; around a place it is \"near\"");
    }
    geometry
        .map(
            shape ->
                radius
                    .map(far -> Area.withinMetres(shape, far))
                    .orElseGet(() -> Area.intersecting(shape)))
        .ifPresent(areas::add);
    return areas;
  }

  private static Area outside(List<Area> areas) {
    if (areas.size() != 1) {
      throw new InvalidRequestException(
          "\"outside\" goes with one place, and there are %d".formatted(areas.size()));
    }
    return Area.not(areas.get(0));
  }

  private static Area around(String text) {
    String[] numbers = text.split(",", -1);
    try {
      if (numbers.length == 3) {
        return Area.withinMetres(
            Double.parseDouble(numbers[0].strip()),
            Double.parseDouble(numbers[1].strip()),
            Double.parseDouble(numbers[2].strip()));
      }
    } catch (NumberFormatException e) {
      // The message below is also that of another number of parts.
    }
    throw new InvalidRequestException(
        "\"near\" takes LON,LAT,METRES such as 8.61,50.12,500, unlike '%s'".formatted(text));
  }

  /** Returns the text of a geometry; of a feature its own. */
  private static String geometry(JsonNode given) {
    if (given.isTextual()) {
      return given.textValue();
    }
    return given.path("type").asText().equals("Feature")
        ? given.path("geometry").toString()
        : given.toString();
  }
}
