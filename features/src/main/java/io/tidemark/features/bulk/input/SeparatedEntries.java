// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import io.tidemark.features.bulk.input.ByteInput.Stops;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;

/** Features that each begin with the character RS, as RFC 8142 has it; they may have many lines. */
final class SeparatedEntries implements Entries {

  static final int RS = 0x1e;

  private static final Stops SEPARATOR = Stops.of("\u001e");

  private final ByteInput in;
  private long position;

  SeparatedEntries(ByteInput in) {
    this.in = in;
  }

  @Override
  public Optional<Entry> next() throws IOException {
    // Several separators in a row are as good as one.
    while (in.peekText() == RS) {
      in.next();
    }
    if (in.peek() == ByteInput.END) {
      return Optional.empty();
    }
    long line = in.line();
    ByteArrayOutputStream text = new ByteArrayOutputStream(512);
    in.keepUntil(SEPARATOR, text);
    return Optional.of(new Entry(++position, line, text.toByteArray()));
  }

  @Override
  public String unit() {
    return "feature";
  }
}
