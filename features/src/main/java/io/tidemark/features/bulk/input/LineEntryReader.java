// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import io.tidemark.features.bulk.input.ByteInput.Delimiters;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;

/** Reader of one feature per line. Blank lines are skipped. */
record LineEntryReader(ByteInput in) implements EntryReader {

  private static final Delimiters LINE_END = Delimiters.of("\n");

  @Override
  public Optional<InputEntry> next() throws IOException {
    if (in.peekNonBlank() == ByteInput.END) {
      return Optional.empty();
    }
    long line = in.line();
    ByteArrayOutputStream text = new ByteArrayOutputStream(512);
    in.keepUntil(LINE_END, text);
    return Optional.of(new InputEntry(line, line, text.toByteArray()));
  }

  @Override
  public String unit() {
    return "line";
  }
}
