// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.features.bulk.output.ExportOptions.Form;
import io.tidemark.features.geojson.Geometry;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Features as GeoJSON, one after the other. */
record GeoJsonSeq(OutputStream out, Form form, LongConsumer listener) {

  private static final int RS = 0x1e;
  private static final int OFTEN = 1_000;

  /** Writes all; returns how many there were. */
  long write(States states) {
    long[] count = {0};
    return states.each(
        List.of("jsondata::text", "geo::text"),
        row -> {
          write(row.getString(1), row.getString(2));
          if (++count[0] % OFTEN == 0) {
            listener.accept(count[0]);
          }
        });
  }

  /** What the database keeps has the geometry apart, and always an id, so the text has a member. */
  private void write(String json, @Nullable String geometry) {
    try {
      if (form == Form.GEOJSON_TEXT_SEQUENCE) {
        out.write(RS);
      }
      out.write("{\"geometry\": ".getBytes(UTF_8));
      String shape = geometry == null ? "null" : new Geometry(geometry).geoJson().toString();
      out.write(shape.getBytes(UTF_8));
      out.write(", ".getBytes(UTF_8));
      out.write(json.substring(1).getBytes(UTF_8));
      out.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException("features can't be written", e);
    }
  }
}
