// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.geojson.Geometry;
import io.tidemark.features.geojson.InvalidFeatureException;
import io.tidemark.features.model.InvalidRequestException;
import java.util.List;

/**
 * Area of the world that features must touch. Lines are straight on a map of degrees, as in
 * GeoJSON. A feature without a geometry is in no area and in no complement of one.
 */
public sealed interface Area {

  /**
   * A box, its edges included. One whose west is beyond its east goes across the antimeridian.
   *
   * @param west from -180 to 180, as is {@code east}
   * @param south from -90 to 90, and not beyond {@code north}
   */
  record Box(double west, double south, double east, double north) implements Area {
    public Box {
      // Written so that what is not a number fails too.
      if (!(Math.abs(west) <= 180 && Math.abs(east) <= 180)) {
        throw new InvalidRequestException(
            "a box from %s west to %s east; both are from -180 to 180".formatted(west, east));
      }
      if (!(Math.abs(south) <= 90 && Math.abs(north) <= 90 && south <= north)) {
        throw new InvalidRequestException(
            "a box from %s south to %s north; both are from -90 to 90, the south first"
                .formatted(south, north));
      }
    }

    /** Returns the box itself, or the two parts of a box that crosses the antimeridian. */
    List<Box> parts() {
      return west <= east
          ? List.of(this)
          : List.of(new Box(west, south, 180, north), new Box(-180, south, east, north));
    }
  }

  /** The area that a geometry covers. */
  record Shape(Geometry geometry) implements Area {}

  /**
   * All that is within some metres of a geometry, over the surface of the earth.
   *
   * @param metres from 0 to half around the earth
   */
  record WithinMetres(Geometry geometry, double metres) implements Area {
    private static final double HALF_AROUND = 20_040_000;

    public WithinMetres {
      if (!(metres >= 0 && metres <= HALF_AROUND)) {
        throw new InvalidRequestException(
            "a radius of %s metres; give 0 to %.0f".formatted(metres, HALF_AROUND));
      }
    }
  }

  /**
   * All that is within some degrees of a geometry, on a map of degrees.
   *
   * @param degrees from 0 to 360
   */
  record WithinDegrees(Geometry geometry, double degrees) implements Area {
    public WithinDegrees {
      if (!(degrees >= 0 && degrees <= 360)) {
        throw new InvalidRequestException(
            "a distance of %s degrees; give 0 to 360".formatted(degrees));
      }
    }
  }

  /** Intersection: a feature touches each of these areas. */
  record All(List<Area> parts) implements Area {
    public All {
      parts = List.copyOf(parts);
    }
  }

  /** Union: a feature touches at least one of these areas. */
  record Any(List<Area> parts) implements Area {
    public Any {
      parts = List.copyOf(parts);
    }
  }

  /** Complement of an area: geometries that don't touch it. */
  record Not(Area part) implements Area {}

  static Area box(double west, double south, double east, double north) {
    return new Box(west, south, east, north);
  }

  /** Reads {@code west,south,east,north}. */
  static Area box(String text) {
    String[] edges = text.split(",", -1);
    if (edges.length != 4) {
      throw new InvalidRequestException(
          "the box '%s' has %d numbers; give west,south,east,north".formatted(text, edges.length));
    }
    double[] number = new double[4];
    for (int i = 0; i < 4; i++) {
      try {
        number[i] = Double.parseDouble(edges[i].strip());
      } catch (NumberFormatException e) {
        throw new InvalidRequestException(
            "the box '%s' has '%s' where a number is needed; give west,south,east,north"
                .formatted(text, edges[i]),
            e);
      }
    }
    return new Box(number[0], number[1], number[2], number[3]);
  }

  static Area tile(Tile tile) {
    return tile.box();
  }

  /** Returns the area of features that touch a geometry, which is given as GeoJSON. */
  static Area intersecting(String geoJson) {
    return new Shape(geometry(geoJson));
  }

  /** Returns the area within some metres of a geometry, which is given as GeoJSON. */
  static Area withinMetres(String geoJson, double metres) {
    return new WithinMetres(geometry(geoJson), metres);
  }

  /** Returns the area within some metres of a place. */
  static Area withinMetres(double lon, double lat, double metres) {
    return new WithinMetres(point(lon, lat), metres);
  }

  /** Returns the area within some degrees of a geometry, which is given as GeoJSON. */
  static Area withinDegrees(String geoJson, double degrees) {
    return new WithinDegrees(geometry(geoJson), degrees);
  }

  static Area all(Area... parts) {
    return new All(List.of(parts));
  }

  static Area any(Area... parts) {
    return new Any(List.of(parts));
  }

  static Area not(Area part) {
    return new Not(part);
  }

  private static Geometry point(double lon, double lat) {
    Box checked = new Box(lon, lat, lon, lat);
    return geometry(
        "{\"type\":\"Point\",\"coordinates\":[%s,%s]}".formatted(checked.west(), checked.south()));
  }

  private static Geometry geometry(String geoJson) {
    try {
      JsonNode geometry = GeoJson.parseInput(geoJson);
      return Geometry.of(geometry);
    } catch (InvalidFeatureException e) {
      throw new InvalidRequestException(
          "nothing can be looked for by this geometry: " + e.getMessage(), e);
    }
  }
}
