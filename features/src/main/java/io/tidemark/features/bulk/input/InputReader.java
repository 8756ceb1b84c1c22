// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import java.io.IOException;
import java.util.Optional;

/** Reader of an input. For one thread, except for its parser. */
public final class InputReader implements AutoCloseable {

  private final Input.CountingStream stream;
  private final EntryReader entryReader;
  private final EntryParser parser;

  InputReader(Input.CountingStream stream, EntryReader entryReader, EntryParser parser) {
    this.stream = stream;
    this.entryReader = entryReader;
    this.parser = parser;
  }

  /** Returns the next entry; empty at the end. */
  public Optional<InputEntry> next() throws IOException {
    return entryReader.next();
  }

  /** Returns the parser that makes features of the entries. */
  public EntryParser parser() {
    return parser;
  }

  /** Returns how many of the stored bytes were read. */
  public long bytes() {
    return stream.count();
  }

  /** Returns the unit of positions: {@code line} or {@code feature}. */
  public String unit() {
    return entryReader.unit();
  }

  /** Returns the position of an entry, for messages. */
  public String placeOf(InputEntry inputEntry) {
    return inputEntry.position() == inputEntry.line()
        ? unit() + " " + inputEntry.position()
        : "%s %d (line %d)".formatted(unit(), inputEntry.position(), inputEntry.line());
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
