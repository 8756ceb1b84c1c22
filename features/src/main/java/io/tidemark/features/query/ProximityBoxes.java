// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.geojson.Geometry;
import java.util.ArrayList;
import java.util.List;

/** Bounding boxes of the vicinity of a geometry, too large rather than too small. */
final class ProximityBoxes {

  /** A degree of latitude is nowhere on earth shorter than this. */
  private static final double SHORTEST_DEGREE = 110_500;

  /** Lines are measured with an error of up to two metres, see {@link AreaSql}. */
  private static final double SLACK = 5;

  private double west = Double.POSITIVE_INFINITY;
  private double south = Double.POSITIVE_INFINITY;
  private double east = Double.NEGATIVE_INFINITY;
  private double north = Double.NEGATIVE_INFINITY;

  private ProximityBoxes(JsonNode geoJson) {
    extend(geoJson);
  }

  /** Returns one box, or two when it crosses the antimeridian; none for an empty geometry. */
  static List<Area.Box> boxesAround(Geometry geometry, double metres) {
    ProximityBoxes around = new ProximityBoxes(geometry.geoJson());
    return around.isEmpty() ? List.of() : around.within(metres);
  }

  /**
   * Returns the shifts by which a geometry must be moved so that all that is near it, also across
   * the antimeridian, is near one of the shifted geometries.
   */
  static List<Double> shifts(Geometry geometry, double degrees) {
    ProximityBoxes around = new ProximityBoxes(geometry.geoJson());
    List<Double> shifts = new ArrayList<>(List.of(0.0));
    if (around.isEmpty()) {
      return shifts;
    }
    if (around.west - degrees < -180) {
      shifts.add(360.0);
    }
    if (around.east + degrees > 180) {
      shifts.add(-360.0);
    }
    return shifts;
  }

  private boolean isEmpty() {
    return west > east;
  }

  private List<Area.Box> within(double metres) {
    double latitudes = (metres + SLACK) / SHORTEST_DEGREE;
    double low = Math.max(-90, south - latitudes);
    double high = Math.min(90, north + latitudes);
    double longitudes = longitudes(latitudes);
    double left = west - longitudes;
    double right = east + longitudes;
    if (right - left >= 360) {
      return List.of(new Area.Box(-180, low, 180, high));
    }
    // A place at 180 degrees is also at -180.
    if (left <= -180) {
      return new Area.Box(left + 360, low, right, high).parts();
    }
    return right < 180
        ? List.of(new Area.Box(left, low, right, high))
        : new Area.Box(left, low, right - 360, high).parts();
  }

  /**
   * Returns how far a circle of so many degrees extends to the east, where it is closest to a pole.
   */
  private double longitudes(double latitudes) {
    double furthest = Math.max(Math.abs(south), Math.abs(north));
    if (furthest + latitudes >= 89.9) {
      return 360;
    }
    double sine = Math.sin(Math.toRadians(latitudes)) / Math.cos(Math.toRadians(furthest));
    return sine >= 1 ? 360 : Math.toDegrees(Math.asin(sine)) * 1.01;
  }

  private void extend(JsonNode node) {
    if (node.isObject()) {
      extend(node.path("coordinates"));
      node.path("geometries").forEach(this::extend);
    } else if (node.isArray() && !node.isEmpty() && node.get(0).isNumber()) {
      west = Math.min(west, node.get(0).doubleValue());
      east = Math.max(east, node.get(0).doubleValue());
      south = Math.min(south, node.get(1).doubleValue());
      north = Math.max(north, node.get(1).doubleValue());
    } else {
      node.forEach(this::extend);
    }
  }
}
