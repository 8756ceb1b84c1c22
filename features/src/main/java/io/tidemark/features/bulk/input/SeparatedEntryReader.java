// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import io.tidemark.features.bulk.input.ByteInput.Delimiters;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;

/**
 * Reader of features that each begin with the character RS, as in RFC 8142; they may have many
 * lines.
 */
final class SeparatedEntryReader implements EntryReader {

  static final int RS = 0x1e;

  private static final Delimiters SEPARATOR = Delimiters.of("\u001e");

  private final ByteInput in;
  private long position;

  SeparatedEntryReader(ByteInput in) {
    this.in = in;
  }

  @Override
  public Optional<InputEntry> next() throws IOException {
    // Several separators in a row are as good as one.
    while (in.peekNonBlank() == RS) {
      in.next();
    }
    if (in.peek() == ByteInput.END) {
      return Optional.empty();
    }
    long line = in.line();
    ByteArrayOutputStream text = new ByteArrayOutputStream(512);
    in.keepUntil(SEPARATOR, text);
    return Optional.of(new InputEntry(++position, line, text.toByteArray()));
  }

  @Override
  public String unit() {
    return "feature";
  }
}
