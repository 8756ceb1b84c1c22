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

  SqlText of(Area area) {
    if (area instanceof Area.Box box) {
      return any(box.parts().stream().map(this::inBox).toList());
    }
    if (area instanceof Area.Shape shape) {
      SqlText other = geometry(shape.geometry());
      return overlapping(other).then(" AND ").then(touching(other)).bracketed();
    }
    if (area instanceof Area.Around around) {
      return around(around);
    }
    if (area instanceof Area.Beside beside) {
      return beside(beside);
    }
    if (area instanceof Area.All all) {
      return all.parts().isEmpty()
          ? SqlText.of("h.geo IS NOT NULL")
          : SqlText.join(" AND ", all.parts().stream().map(this::of).toList()).bracketed();
    }
    if (area instanceof Area.Any any) {
      return any(any.parts().stream().map(this::of).toList());
    }
    Area.Not not = (Area.Not) area;
    return SqlText.of("(h.geo IS NOT NULL AND ")
        .then(of(not.part()).bracketed())
        .then(" IS NOT TRUE)");
  }

  /** The geometry that is left when it is cut to a box or a shape. */
  SqlText clipped(Area area) {
    SqlText shape =
        area instanceof Area.Box box
            ? SqlText.of(schema + ".st_collect(ARRAY[")
                .then(SqlText.join(", ", box.parts().stream().map(this::envelope).toList()))
                .then("])")
            : geometry(((Area.Shape) area).geometry());
    return SqlText.of(
            "%1$s.st_force3d(%1$s.st_intersection(%2$s.naksha_valid(h.geo), %2$s.naksha_valid("
                .formatted(schema, own))
        .then(shape)
        .then(")))");
  }

  private static SqlText any(List<SqlText> parts) {
    return parts.isEmpty() ? SqlText.of("false") : SqlText.join(" OR ", parts).bracketed();
  }

  /** A box can be compared with whatever is stored. */
  private SqlText inBox(Area.Box box) {
    SqlText envelope = envelope(box);
    return overlapping(envelope)
        .then(" AND %s.st_intersects(h.geo, ".formatted(schema))
        .then(envelope)
        .then(")")
        .bracketed();
  }

  private SqlText touching(SqlText other) {
    return SqlText.of("%s.st_intersects(%s.naksha_valid(h.geo), ".formatted(schema, own))
        .then("%s.naksha_valid(".formatted(own))
        .then(other)
        .then("))");
  }

  /** What the index on places answers. */
  private SqlText overlapping(SqlText other) {
    return SqlText.of("h.geo OPERATOR(%s.&&) ".formatted(schema)).then(other);
  }

  private SqlText envelope(Area.Box box) {
    return SqlText.of(
        "%s.st_makeenvelope(?::float8, ?::float8, ?::float8, ?::float8, 4326)".formatted(schema),
        box.west(),
        box.south(),
        box.east(),
        box.north());
  }

  private SqlText geometry(Geometry geometry) {
    return SqlText.of("?::text::%s.geometry".formatted(schema), geometry.hex());
  }

  /**
   * The distance over the globe has no index, so the boxes that hold all that is near come first. A
   * large polygon is ambiguous on the globe; what is in it is decided on the map.
   */
  private SqlText around(Area.Around around) {
    SqlText center = geometry(around.geometry());
    SqlText near =
        any(
            Surroundings.of(around.geometry(), around.metres()).stream()
                .map(box -> overlapping(envelope(box)))
                .toList());
    SqlText distance =
        SqlText.of("%s.st_dwithin(".formatted(schema))
            .then(onGlobe(SqlText.of("h.geo")))
            .then(", ")
            .then(onGlobe(center))
            .then(", ?::float8)", around.metres());
    return near.then(" AND ")
        .then(SqlText.join(" OR ", List.of(touching(center), distance)).bracketed())
        .bracketed();
  }

  private SqlText onGlobe(SqlText geometry) {
    return SqlText.of("%s.st_segmentize(".formatted(schema))
        .then(geometry)
        .then(", %s)::%s.geography".formatted(PIECE, schema));
  }

  private SqlText beside(Area.Beside beside) {
    return any(
        Surroundings.shifts(beside.geometry(), beside.degrees()).stream()
            .map(
                shift ->
                    SqlText.of("%1$s.st_dwithin(h.geo, %1$s.st_translate(".formatted(schema))
                        .then(geometry(beside.geometry()))
                        .then(", ?::float8, 0), ?::float8)", shift, beside.degrees()))
            .toList());
  }
}
