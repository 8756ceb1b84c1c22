// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import java.util.Locale;
import java.util.Optional;

/** Format of a file of features. */
public enum InputFormat {
  /** One {@code FeatureCollection}. */
  GEOJSON,
  /** A feature a line, or features that each begin with RS. */
  GEOJSON_SEQ,
  /** Rows with longitude and latitude below a header. */
  CSV;

  /**
   * Returns the format that a file name implies, compressed or not; empty if the extension is
   * unknown.
   */
  public static Optional<InputFormat> of(String fileName) {
    String name = fileName.toLowerCase(Locale.ROOT);
    String plain =
        Input.isCompressed(name)
            ? name.substring(0, name.length() - Input.COMPRESSED.length())
            : name;
    return switch (plain.substring(plain.lastIndexOf('.') + 1)) {
      case "geojson", "json" -> Optional.of(GEOJSON);
      case "geojsonl", "geojsons", "geojsonseq", "jsonl", "ndjson" -> Optional.of(GEOJSON_SEQ);
      case "csv", "tsv" -> Optional.of(CSV);
      default -> Optional.empty();
    };
  }
}
