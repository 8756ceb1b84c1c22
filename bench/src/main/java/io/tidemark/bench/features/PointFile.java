// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;

/** Writer of files of points with a few properties and two tags, as GeoJSONSeq. */
final class PointFile {

  private static final int SEED = 42;

  private PointFile() {}

  /** Creates a temporary file, whose content depends on the number of points alone. */
  static Path create(Path directory, int points) throws IOException {
    Path file = Files.createTempFile(directory, "tidemark-load", ".geojsonl");
    Random random = new Random(SEED);
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int i = 0; i < points; i++) {
        out.write(
            String.format(
                Locale.ROOT,
                "{\"type\":\"Feature\",\"id\":\"urn:bench:%d\",\"geometry\":{\"type\":\"Point\","
                    + "\"coordinates\":[%.6f,%.6f]},\"properties\":{\"name\":\"feature %d\","
                    + "\"speedLimit\":%d,\"oneway\":%b,\"@ns:com:here:xyz\":{\"tags\":[\"t%d\",\"all\"]}}}",
                i,
                random.nextDouble() * 360 - 180,
                random.nextDouble() * 180 - 90,
                i,
                random.nextInt(13) * 10,
                random.nextBoolean(),
                random.nextInt(100)));
        out.newLine();
      }
    }
    return file;
  }
}
