// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.features.bulk.output.Framing;
import io.tidemark.features.model.Feature;
import io.tidemark.features.view.FeatureJson;
import io.tidemark.server.http.WideNumbers;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Features that are written one after the other, of which none is kept. */
final class Sequence {

  private static final int BUFFER = 1 << 16;

  private final OutputStream out;
  private final Framing framing;
  private final boolean wideAsText;
  private long written;

  Sequence(OutputStream out, Framing framing, boolean wideAsText) {
    this.out = new BufferedOutputStream(out, BUFFER);
    this.framing = framing;
    this.wideAsText = wideAsText;
  }

  void write(Feature feature) {
    try {
      String text =
          wideAsText ? WideNumbers.asText(FeatureJson.of(feature)).toString() : feature.geoJson();
      out.write((framing.before(written++) + text + framing.after()).getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("whoever asked reads no more", e);
    }
  }

  /** All is written. */
  void end() throws IOException {
    out.write(framing.end(written).getBytes(UTF_8));
    out.flush();
  }
}
