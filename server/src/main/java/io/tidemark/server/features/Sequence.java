// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.features.Feature;
import io.tidemark.features.view.FeatureJson;
import io.tidemark.server.http.WideNumbers;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Features that are written one after the other, of which none is kept. */
final class Sequence {

  /** As RFC 8142 has it. */
  static final String TYPE = "application/geo+json-seq";

  private static final int RS = 0x1e;
  private static final int BUFFER = 1 << 16;

  /** What is around each. */
  enum Form {
    LINES,
    RFC_8142
  }

  private final OutputStream out;
  private final Form form;
  private final boolean wideAsText;

  Sequence(OutputStream out, Form form, boolean wideAsText) {
    this.out = new BufferedOutputStream(out, BUFFER);
    this.form = form;
    this.wideAsText = wideAsText;
  }

  void write(Feature feature) {
    try {
      if (form == Form.RFC_8142) {
        out.write(RS);
      }
      String text =
          wideAsText ? WideNumbers.asText(FeatureJson.of(feature)).toString() : feature.geoJson();
      out.write(text.getBytes(UTF_8));
      out.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException("whoever asked reads no more", e);
    }
  }

  /** All is written. */
  void end() throws IOException {
    out.flush();
  }
}
