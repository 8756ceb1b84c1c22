// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Format of a file with features. */
public enum FeatureFormat {
  /** One GeoJSON FeatureCollection. */
  GEOJSON,
  /** GeoJSON, one feature a line. A load takes features that begin with RS, too. */
  GEOJSONSEQ,
  /** GeoJSON text sequence, as RFC 8142 has it. */
  RS,
  /** Rows with longitude and latitude below a header; can be loaded only. */
  CSV,
  /** GeoParquet 1.1; can be exported only. */
  GEOPARQUET;

  /** Returns the format of that word; empty if there is none. */
  public static Optional<FeatureFormat> of(String word) {
    return Arrays.stream(values()).filter(format -> format.word().equals(word)).findFirst();
  }

  /** Returns the format that the name of a file tells; empty if it doesn't. */
  public static Optional<FeatureFormat> ofFileName(String fileName) {
    String name = fileName.toLowerCase(Locale.ROOT);
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "geojson", "json" -> Optional.of(GEOJSON);
      case "geojsonl", "geojsonseq", "jsonl", "ndjson" -> Optional.of(GEOJSONSEQ);
      case "geojsons" -> Optional.of(RS);
      case "csv", "tsv" -> Optional.of(CSV);
      case "parquet", "geoparquet" -> Optional.of(GEOPARQUET);
      default -> Optional.empty();
    };
  }

  /** Returns the format as it is written, such as {@code geojsonseq}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
