// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import io.tidemark.features.bulk.input.ByteInput.Stops;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;

/** A feature a line. Lines without one are skipped. */
record LineEntries(ByteInput in) implements Entries {

  private static final Stops LINE_END = Stops.of("\n");

  @Override
  public Optional<Entry> next() throws IOException {
    if (in.peekText() == ByteInput.END) {
      return Optional.empty();
    }
    long line = in.line();
    ByteArrayOutputStream text = new ByteArrayOutputStream(512);
    in.keepUntil(LINE_END, text);
    return Optional.of(new Entry(line, line, text.toByteArray()));
  }

  @Override
  public String unit() {
    return "line";
  }
}
