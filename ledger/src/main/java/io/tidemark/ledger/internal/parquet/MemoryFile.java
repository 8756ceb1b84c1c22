// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import io.tidemark.objects.Body;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** File in memory, in the pieces in which it came. */
final class MemoryFile extends OutputStream {

  /** Pieces that are shorter are put together, so that few pieces remain. */
  private static final int SHORT = 1 << 14;

  private final List<byte[]> pieces = new ArrayList<>();
  private final ByteArrayOutputStream last = new ByteArrayOutputStream(1 << 12);
  private long length;

  @Override
  public void write(int b) {
    last.write(b);
    length++;
  }

  @Override
  public void write(byte[] bytes, int offset, int count) {
    last.write(bytes, offset, count);
    length += count;
  }

  /** Adds bytes that the caller must not change any more. */
  void keep(byte[] bytes) {
    if (bytes.length < SHORT) {
      write(bytes, 0, bytes.length);
      return;
    }
    endPiece();
    pieces.add(bytes);
    length += bytes.length;
  }

  private void endPiece() {
    if (last.size() > 0) {
      pieces.add(last.toByteArray());
      last.reset();
    }
  }

  /** Returns all of the file; nothing is to be added after this. */
  Body body() {
    endPiece();
    return pieces.size() == 1
        ? Body.of(pieces.get(0))
        : Body.ofStream(length, () -> new Pieces(pieces));
  }

  /** Stream that reads one piece after the other. */
  private static final class Pieces extends InputStream {
    private final List<byte[]> pieces;
    private int next;
    private ByteArrayInputStream current = new ByteArrayInputStream(new byte[0]);

    Pieces(List<byte[]> pieces) {
      this.pieces = pieces;
    }

    /** Moves on to bytes that are at hand, and returns whether there are any left. */
    private boolean advance() {
      while (current.available() == 0 && next < pieces.size()) {
        current = new ByteArrayInputStream(pieces.get(next++));
      }
      return current.available() > 0;
    }

    @Override
    public int read() {
      return advance() ? current.read() : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) {
      return count == 0 ? 0 : advance() ? current.read(bytes, offset, count) : -1;
    }

    @Override
    public int available() {
      return advance() ? current.available() : 0;
    }

    /** Passes on a piece at a time, without a copy. */
    @Override
    public long transferTo(OutputStream out) throws IOException {
      long count = 0;
      while (advance()) {
        count += current.transferTo(out);
      }
      return count;
    }
  }
}
