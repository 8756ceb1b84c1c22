// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import io.tidemark.features.geojson.Geometry;
import java.util.List;

/**
 * Areas as SQL on {@code h.geo}. PostGIS may be in a schema that isn't searched, so all its names
 * are said with their schema.
 *
 * @param schema the schema that PostGIS is in, as SQL has it
 * @param own the schema of the storage
 */
record AreaSql(String schema, String own) {

  /**
   * How long a line may be, in degrees, until it is cut into pieces before it is measured on the
   * globe: over so little, the shortest way on the globe is within two metres of the straight line
   * on the map.
   */
  private static final String PIECE = "0.1";

  SqlFragment of(Area area) {
    if (area instanceof Area.Box box) {
      return any(box.parts().stream().map(this::inBox).toList());
    }
    if (area instanceof Area.Shape shape) {
      SqlFragment other = geometry(shape.geometry());
      return overlapping(other).then(" AND ").then(touching(other)).bracketed();
    }
    if (area instanceof Area.WithinMetres withinMetres) {
      return withinMetres(withinMetres);
    }
    if (area instanceof Area.WithinDegrees withinDegrees) {
      return withinDegrees(withinDegrees);
    }
    if (area instanceof Area.All all) {
      return all.parts().isEmpty()
          ? SqlFragment.of("h.geo IS NOT NULL")
          : SqlFragment.join(" AND ", all.parts().stream().map(this::of).toList()).bracketed();
    }
    if (area instanceof Area.Any any) {
      return any(any.parts().stream().map(this::of).toList());
    }
    Area.Not not = (Area.Not) area;
    return SqlFragment.of("(h.geo IS NOT NULL AND ")
        .then(of(not.part()).bracketed())
        .then(" IS NOT TRUE)");
  }

  /** Returns the geometry that is left when it is cut to a box or a shape. */
  SqlFragment clipped(Area area) {
    SqlFragment shape =
        area instanceof Area.Box box
            ? SqlFragment.of(schema + ".st_collect(ARRAY[")
                .then(SqlFragment.join(", ", box.parts().stream().map(this::envelope).toList()))
                .then("])")
            : geometry(((Area.Shape) area).geometry());
    return SqlFragment.of(
            "%1$s.st_force3d(%1$s.st_intersection(%2$s.naksha_valid(h.geo), %2$s.naksha_valid("
                .formatted(schema, own))
        .then(shape)
        .then(")))");
  }

  private static SqlFragment any(List<SqlFragment> parts) {
    return parts.isEmpty() ? SqlFragment.of("false") : SqlFragment.join(" OR ", parts).bracketed();
  }

  /** A box can be compared with any stored geometry, valid or not. */
  private SqlFragment inBox(Area.Box box) {
    SqlFragment envelope = envelope(box);
    return overlapping(envelope)
        .then(" AND %s.st_intersects(h.geo, ".formatted(schema))
        .then(envelope)
        .then(")")
        .bracketed();
  }

  private SqlFragment touching(SqlFragment other) {
    return SqlFragment.of("%s.st_intersects(%s.naksha_valid(h.geo), ".formatted(schema, own))
        .then("%s.naksha_valid(".formatted(own))
        .then(other)
        .then("))");
  }

  /** Returns the condition that the spatial index answers. */
  private SqlFragment overlapping(SqlFragment other) {
    return SqlFragment.of("h.geo OPERATOR(%s.&&) ".formatted(schema)).then(other);
  }

  private SqlFragment envelope(Area.Box box) {
    return SqlFragment.of(
        "%s.st_makeenvelope(?::float8, ?::float8, ?::float8, ?::float8, 4326)".formatted(schema),
        box.west(),
        box.south(),
        box.east(),
        box.north());
  }

  private SqlFragment geometry(Geometry geometry) {
    return SqlFragment.of("?::text::%s.geometry".formatted(schema), geometry.hex());
  }

  /**
   * The distance over the globe has no index, so bounding boxes of the vicinity come first. A large
   * polygon is ambiguous on the globe; containment in it is decided on the map.
   */
  private SqlFragment withinMetres(Area.WithinMetres withinMetres) {
    SqlFragment center = geometry(withinMetres.geometry());
    SqlFragment near =
        any(
            ProximityBoxes.boxesAround(withinMetres.geometry(), withinMetres.metres()).stream()
                .map(box -> overlapping(envelope(box)))
                .toList());
    SqlFragment distance =
        SqlFragment.of("%s.st_dwithin(".formatted(schema))
            .then(onGlobe(SqlFragment.of("h.geo")))
            .then(", ")
            .then(onGlobe(center))
            .then(", ?::float8)", withinMetres.metres());
    return near.then(" AND ")
        .then(SqlFragment.join(" OR ", List.of(touching(center), distance)).bracketed())
        .bracketed();
  }

  private SqlFragment onGlobe(SqlFragment geometry) {
    return SqlFragment.of("%s.st_segmentize(".formatted(schema))
        .then(geometry)
        .then(", %s)::%s.geography".formatted(PIECE, schema));
  }

  private SqlFragment withinDegrees(Area.WithinDegrees withinDegrees) {
    return any(
        ProximityBoxes.shifts(withinDegrees.geometry(), withinDegrees.degrees()).stream()
            .map(
                shift ->
                    SqlFragment.of("%1$s.st_dwithin(h.geo, %1$s.st_translate(".formatted(schema))
                        .then(geometry(withinDegrees.geometry()))
                        .then(", ?::float8, 0), ?::float8)", shift, withinDegrees.degrees()))
            .toList());
  }
}
