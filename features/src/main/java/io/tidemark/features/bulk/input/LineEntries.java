// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;

/** A feature a line. Lines without one are skipped. */
record LineEntries(ByteInput in) implements Entries {

  @Override
  public Optional<Entry> next() throws IOException {
    if (in.peekText() == ByteInput.END) {
      return Optional.empty();
    }
    long line = in.line();
    ByteArrayOutputStream text = new ByteArrayOutputStream(512);
    for (int c = in.next(); c != ByteInput.END && c != '\n'; c = in.next()) {
      in.keep(text, c);
    }
    return Optional.of(new Entry(line, line, text.toByteArray()));
  }

  @Override
  public String unit() {
    return "line";
  }
}
