// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import io.tidemark.ledger.Fact;
import io.tidemark.ledger.Identity;
import io.tidemark.ledger.schema.Kind;
import io.tidemark.ledger.schema.TypeId;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Facts in the order of their identities, set aside in a file that has no name any more, so that it
 * is gone when this process is, however it ends.
 */
final class SortedRun implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SortedRun.class);

  private record Section(long position, int facts) {}

  private final FileChannel file;
  private final Map<TypeId, Section> sections = new HashMap<>();

  SortedRun() throws IOException {
    Path path = Files.createTempFile("tidemark-", ".intents");
    file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    Files.delete(path);
  }

  void add(TypeId type, List<Fact> sorted) throws IOException {
    sections.put(type, new Section(file.size(), sorted.size()));
    try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(appending()))) {
      for (Fact fact : sorted) {
        if (fact.identity() instanceof Identity.RelationKey relation) {
          write(out, relation.left());
          write(out, relation.right());
          write(out, relation.instance());
        } else {
          write(out, ((Identity.EntityKey) fact.identity()).key());
        }
        write(out, fact.fieldsJson());
      }
    }
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String read(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  Iterator<Fact> read(TypeId type) throws IOException {
    Section section = sections.getOrDefault(type, new Section(0, 0));
    DataInputStream in =
        new DataInputStream(new BufferedInputStream(readingFrom(section.position()), 1 << 16));
    return new Iterator<>() {
      private int left = section.facts();

      @Override
      public boolean hasNext() {
        return left > 0;
      }

      @Override
      public Fact next() {
        if (left-- <= 0) {
          throw new NoSuchElementException();
        }
        try {
          Identity identity =
              type.kind() == Kind.RELATION
                  ? new Identity.RelationKey(
                      SortedRun.read(in), SortedRun.read(in), SortedRun.read(in))
                  : new Identity.EntityKey(SortedRun.read(in));
          return new Fact(type, identity, SortedRun.read(in));
        } catch (IOException e) {
          throw new UncheckedIOException("what was set aside on the disk can't be read", e);
        }
      }
    };
  }

  private OutputStream appending() throws IOException {
    file.position(file.size());
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
        while (buffer.hasRemaining()) {
          file.write(buffer);
        }
      }
    };
  }

  /** Each with a position of its own, since several sections may be read at once. */
  private InputStream readingFrom(long start) {
    return new InputStream() {
      private long position = start;

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = file.read(ByteBuffer.wrap(bytes, offset, length), position);
        position += Math.max(read, 0);
        return read;
      }
    };
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      LOG.warn("a temporary file couldn't be closed", e);
    }
  }
}
