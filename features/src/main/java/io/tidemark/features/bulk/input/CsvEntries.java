// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;

/** Rows of CSV. A line that ends within quotes goes on in the next. */
record CsvEntries(ByteInput in) implements Entries {

  @Override
  public Optional<Entry> next() throws IOException {
    while (in.peek() == '\n' || in.peek() == '\r') {
      in.next();
    }
    if (in.peek() == ByteInput.END) {
      return Optional.empty();
    }
    long line = in.line();
    ByteArrayOutputStream text = new ByteArrayOutputStream(256);
    boolean quoted = false;
    for (int c = in.next(); c != ByteInput.END && (quoted || c != '\n'); c = in.next()) {
      quoted ^= c == '"';
      in.keep(text, c);
    }
    if (quoted) {
      throw new InvalidInputException(
          "line %d: a quote is opened and never closed".formatted(line));
    }
    return Optional.of(new Entry(line, line, text.toByteArray()));
  }

  @Override
  public String unit() {
    return "line";
  }
}
