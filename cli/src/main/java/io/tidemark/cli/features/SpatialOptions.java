// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.features.FeatureQueryRequest;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options of spatial conditions. */
final class SpatialOptions {

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--bbox",
      paramLabel = "W,S,E,N",
      description = "Only what touches this box, in degrees.")
  private @Nullable String box;

  @Option(
      names = "--near",
      paramLabel = "LON,LAT,METRES",
      description = "Only what is within so many metres of a place.")
  private @Nullable String near;

  @Option(
      names = "--touching",
      paramLabel = "FILE|JSON",
      description = "Only what touches this GeoJSON geometry, or that of this feature.")
  private @Nullable String shape;

  @Option(
      names = "--distance",
      paramLabel = "METRES",
      description = "With --touching: also what is within so many metres of it.")
  private @Nullable Double distance;

  @Option(
      names = "--tile",
      paramLabel = "QUADKEY",
      description = "Only what touches this tile of a web map.")
  private @Nullable String tile;

  @Option(
      names = "--here-tile",
      paramLabel = "QUADKEY",
      description = "Only what touches this tile of HERE.")
  private @Nullable String hereTile;

  @Option(
      names = "--margin",
      paramLabel = "PIXELS",
      description = "Around the tile, of which one is 256 wide.")
  private int margin;

  @Option(
      names = "--outside",
      description = "Only what is somewhere else, and not what touches the one place.")
  private boolean outside;

  @Option(names = "--clip", description = "Cut geometries to the box, the tile or the geometry.")
  private boolean clip;

  /** Returns the query of features in all places that were given. */
  FeatureQueryRequest in(FeatureQueryRequest query) {
    if (near != null) {
      checkNear(near);
    }
    if (shape == null && distance != null) {
      throw new ParameterException(
          spec.commandLine(), "--distance goes with --touching; around a place it is --near");
    }
    return query
        .withBbox(Optional.ofNullable(box))
        .withTile(Optional.ofNullable(tile))
        .withHereTile(Optional.ofNullable(hereTile))
        .withMargin(OptionalInt.of(margin))
        .withNear(Optional.ofNullable(near))
        .withGeometry(Optional.ofNullable(shape).map(given -> new GeometryArgument(given).json()))
        .withRadius(Optional.ofNullable(distance))
        .withOutside(outside)
        .withClip(clip);
  }

  private void checkNear(String text) {
    String[] numbers = text.split(",", -1);
    try {
      if (numbers.length == 3) {
        for (String number : numbers) {
          double unused = Double.parseDouble(number.strip());
        }
        return;
      }
    } catch (NumberFormatException e) {
      // Reported below, as is another number of them.
    }
    throw new ParameterException(
        spec.commandLine(), "--near takes LON,LAT,METRES such as 8.61,50.12,500, unlike " + text);
  }
}
