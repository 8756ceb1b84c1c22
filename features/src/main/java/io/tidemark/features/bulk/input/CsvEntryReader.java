// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import io.tidemark.features.bulk.input.ByteInput.Delimiters;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;

/** Reader of CSV rows. A line that ends within quotes continues in the next. */
record CsvEntryReader(ByteInput in) implements EntryReader {

  private static final Delimiters QUOTE = Delimiters.of("\"");
  private static final Delimiters QUOTE_OR_LINE_END = Delimiters.of("\"\n");

  @Override
  public Optional<InputEntry> next() throws IOException {
    while (in.peek() == '\n' || in.peek() == '\r') {
      in.next();
    }
    if (in.peek() == ByteInput.END) {
      return Optional.empty();
    }
    long line = in.line();
    ByteArrayOutputStream text = new ByteArrayOutputStream(256);
    boolean quoted = false;
    in.keepUntil(QUOTE_OR_LINE_END, text);
    while (in.peek() == '"') {
      in.keep(text, in.next());
      quoted = !quoted;
      in.keepUntil(quoted ? QUOTE : QUOTE_OR_LINE_END, text);
    }
    if (quoted) {
      throw new InvalidInputException(
          "line %d: a quote is opened and never closed".formatted(line));
    }
    return Optional.of(new InputEntry(line, line, text.toByteArray()));
  }

  @Override
  public String unit() {
    return "line";
  }
}
