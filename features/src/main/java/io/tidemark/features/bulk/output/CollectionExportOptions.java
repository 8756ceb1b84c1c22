// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.output;

import io.tidemark.features.model.Txn;
import java.time.Instant;
import java.util.Optional;

/**
 * Options of an export.
 *
 * @param form the output format
 * @param at which states
 * @param there policy for a file that exists already
 */
public record CollectionExportOptions(OutputFormat form, At at, IfExists there) {

  /** Output format of an export. */
  public enum OutputFormat {
    /** One GeoJSON FeatureCollection. */
    GEOJSON,
    /** GeoJSON, a feature a line. */
    GEOJSON_SEQ,
    /** GeoJSON features, each after the character RS, as in RFC 8142. */
    GEOJSON_TEXT_SEQUENCE,
    /** GeoParquet 1.1. */
    GEOPARQUET;

    /** Returns the framing of a form that is GeoJSON; empty for GeoParquet. */
    public Optional<Framing> framing() {
      return switch (this) {
        case GEOJSON -> Optional.of(Framing.COLLECTION);
        case GEOJSON_SEQ -> Optional.of(Framing.LINES);
        case GEOJSON_TEXT_SEQUENCE -> Optional.of(Framing.RFC_8142);
        case GEOPARQUET -> Optional.empty();
      };
    }
  }

  /** Selection of the exported states. */
  public sealed interface At {

    /** The current states. */
    record Now() implements At {}

    /** The states after all transactions up to that number. */
    record Version(Txn txn) implements At {}

    /** The states after all transactions that began by then. */
    record Moment(Instant instant) implements At {}
  }

  /** Policy for a file that exists already. */
  public enum IfExists {
    REFUSE,
    REPLACE
  }

  /** Returns options for the current states, into a file that doesn't exist yet. */
  public static CollectionExportOptions of(OutputFormat outputFormat) {
    return new CollectionExportOptions(outputFormat, new At.Now(), IfExists.REFUSE);
  }

  public CollectionExportOptions with(At newAt) {
    return new CollectionExportOptions(form, newAt, there);
  }

  public CollectionExportOptions with(IfExists newThere) {
    return new CollectionExportOptions(form, at, newThere);
  }
}
