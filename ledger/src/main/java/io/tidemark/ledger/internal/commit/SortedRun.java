// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.internal.scratch.ScratchFile;
import io.tidemark.ledger.schema.TypeId;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;

/** Run of facts in the order of their identities, in a file. */
final class SortedRun implements AutoCloseable {

  private static final int BUFFER = 1 << 16;

  private record Section(long position, int facts) {}

  private final ScratchFile file;
  private final Map<TypeId, Section> sections = new HashMap<>();

  SortedRun() throws IOException {
    file = new ScratchFile();
  }

  void add(TypeId type, Iterator<PackedFact> sorted) throws IOException {
    long start = file.size();
    int count = 0;
    try (OutputStream out = new BufferedOutputStream(file.append(), BUFFER)) {
      while (sorted.hasNext()) {
        sorted.next().writeTo(out);
        count++;
      }
    }
    sections.put(type, new Section(start, count));
  }

  Iterator<PackedFact> read(TypeId type) throws IOException {
    Section section = sections.getOrDefault(type, new Section(0, 0));
    DataInputStream in =
        new DataInputStream(new BufferedInputStream(file.read(section.position()), BUFFER));
    return new Iterator<>() {
      private int left = section.facts();

      @Override
      public boolean hasNext() {
        return left > 0;
      }

      @Override
      public PackedFact next() {
        if (left-- <= 0) {
          throw new NoSuchElementException();
        }
        try {
          int length = in.readInt();
          byte[] bytes = new byte[length];
          in.readFully(bytes, Integer.BYTES, length - Integer.BYTES);
          PackedFact.putLength(bytes, length);
          return new PackedFact(bytes, 0);
        } catch (IOException e) {
          throw new UncheckedIOException("what was set aside on the disk can't be read", e);
        }
      }
    };
  }

  @Override
  public void close() {
    file.close();
  }
}
