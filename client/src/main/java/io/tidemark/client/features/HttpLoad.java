// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.features;

import java.io.InputStream;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A file that a server is to load.
 *
 * @param format {@code geojson}, {@code geojsonseq} or {@code csv}
 * @param compressed whether it comes as gzip
 * @param parameters how it is loaded, by the names that the description of the API has
 * @param content opens it
 */
public record HttpLoad(
    String format,
    boolean compressed,
    Map<String, String> parameters,
    Supplier<InputStream> content) {

  public HttpLoad {
    parameters = Map.copyOf(parameters);
  }

  /** The media type that goes with the format. */
  String type() {
    return switch (format) {
      case "csv" -> "text/csv";
      case "geojsonseq" -> "application/geo+json-seq";
      default -> "application/geo+json";
    };
  }
}
