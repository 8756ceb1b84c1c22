// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.features.geojson.Geometry;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Writer of features as GeoJSON: one FeatureCollection, or one feature after the other. */
record GeoJsonWriter(OutputStream out, Framing framing, LongConsumer listener) {

  private static final int OFTEN = 1_000;

  /** Writes all; returns how many there were. */
  long write(StateReader stateReader) {
    long[] count = {0};
    long written =
        stateReader.each(
            List.of("jsondata::text", "geo::text"),
            row -> {
              text(framing.before(count[0]));
              feature(row.getString(1), row.getString(2));
              text(framing.after());
              if (++count[0] % OFTEN == 0) {
                listener.accept(count[0]);
              }
            });
    text(framing.end(written));
    return written;
  }

  /** Writes a feature. The stored text always has an id; the geometry is stored apart from it. */
  private void feature(String json, @Nullable String geometry) {
    text("{\"geometry\": ");
    text(geometry == null ? "null" : new Geometry(geometry).geoJson().toString());
    text(", ");
    text(json.substring(1));
  }

  private void text(String text) {
    try {
      out.write(text.getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("features can't be written", e);
    }
  }
}
