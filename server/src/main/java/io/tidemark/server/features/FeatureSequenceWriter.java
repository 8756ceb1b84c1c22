// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ResultStream;
import io.tidemark.features.bulk.output.Framing;
import io.tidemark.server.http.LargeIntegerEncoding;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Writer of a sequence of features, none of which it keeps in memory. */
final class FeatureSequenceWriter {

  private static final int BUFFER = 1 << 16;

  private final OutputStream out;
  private final Framing framing;
  private final boolean wideAsText;
  private long written;

  private FeatureSequenceWriter(OutputStream out, Framing framing, boolean wideAsText) {
    this.out = new BufferedOutputStream(out, BUFFER);
    this.framing = framing;
    this.wideAsText = wideAsText;
  }

  /**
   * Writes features as they are read.
   *
   * @param wideAsText whether integers above 2^53 are written as text
   */
  static void write(
      ResultStream<?, ObjectNode> features, OutputStream out, Framing framing, boolean wideAsText)
      throws IOException {
    FeatureSequenceWriter featureSequenceWriter =
        new FeatureSequenceWriter(out, framing, wideAsText);
    features.forEach(featureSequenceWriter::write);
    featureSequenceWriter.out.write(framing.end(featureSequenceWriter.written).getBytes(UTF_8));
    featureSequenceWriter.out.flush();
  }

  private void write(ObjectNode feature) {
    try {
      String text = (wideAsText ? LargeIntegerEncoding.asText(feature) : feature).toString();
      out.write((framing.before(written++) + text + framing.after()).getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("the client reads no more", e);
    }
  }
}
