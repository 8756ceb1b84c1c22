// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import java.io.IOException;
import java.util.Optional;

/** An input that is being read. For one thread, but for its parser. */
public final class OpenInput implements AutoCloseable {

  private final Input.Counted stream;
  private final Entries entries;
  private final EntryParser parser;

  OpenInput(Input.Counted stream, Entries entries, EntryParser parser) {
    this.stream = stream;
    this.entries = entries;
    this.parser = parser;
  }

  /** The next entry; empty at the end. */
  public Optional<Entry> next() throws IOException {
    return entries.next();
  }

  /** What makes features of the entries. */
  public EntryParser parser() {
    return parser;
  }

  /** How many of the stored bytes were read. */
  public long bytes() {
    return stream.count();
  }

  /** What positions count: {@code line} or {@code feature}. */
  public String unit() {
    return entries.unit();
  }

  /** Where an entry is, for people. */
  public String placeOf(Entry entry) {
    return entry.position() == entry.line()
        ? unit() + " " + entry.position()
        : "%s %d (line %d)".formatted(unit(), entry.position(), entry.line());
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
