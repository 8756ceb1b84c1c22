// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.tidemark.features.bulk.input.InputEntry;
import io.tidemark.features.bulk.input.InputReader;
import io.tidemark.features.write.InitialVersions.Row;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Rows for one table, in the binary format of PostgreSQL's COPY. */
final class CopyBuffer {

  private static final byte[] SIGNATURE = "PGCOPY\n\u00ff\r\n\0".getBytes(ISO_8859_1);
  private static final int LARGE = 2 << 20;
  private static final short COLUMNS = 3;
  private static final short TRAILER = -1;
  private static final int NULL = -1;

  /** The version of jsonb's binary form, which is the text after it. */
  private static final byte JSONB = 1;

  private ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
  private int rows;
  private @Nullable InputEntry first;
  private @Nullable InputEntry last;

  CopyBuffer() {
    clear();
  }

  /**
   * Adds a row.
   *
   * @param inputEntry the entry that the row was made of
   */
  void add(Row row, InputEntry inputEntry) {
    byte[] geo = row.geo();
    makeRoom(31 + row.json().length + (geo == null ? 0 : geo.length));
    bytes.putShort(COLUMNS).putInt(Long.BYTES).putLong(row.i());
    if (geo == null) {
      bytes.putInt(NULL);
    } else {
      bytes.putInt(geo.length).put(geo);
    }
    bytes.putInt(row.json().length + 1).put(JSONB).put(row.json());
    first = rows == 0 ? inputEntry : first;
    last = inputEntry;
    rows++;
  }

  private void makeRoom(int needed) {
    if (bytes.remaining() < needed + Short.BYTES) {
      int larger = Math.max(bytes.capacity() * 2, bytes.position() + needed + Short.BYTES);
      bytes = ByteBuffer.allocate(larger).put(bytes.flip());
    }
  }

  boolean isLarge() {
    return bytes.position() >= LARGE;
  }

  int rows() {
    return rows;
  }

  /** Returns the positions in the input of the first and last row. */
  String range(InputReader input) {
    if (first == null || last == null) {
      return "nowhere";
    }
    return rows == 1 ? input.placeOf(first) : input.placeOf(first) + " to " + input.placeOf(last);
  }

  /** Completes the buffer and returns it for reading. */
  ByteBuffer finish() {
    return bytes.putShort(TRAILER).flip();
  }

  void clear() {
    // Memory that one large feature needed isn't kept for ever.
    bytes = bytes.capacity() > 4 * LARGE ? ByteBuffer.allocate(LARGE) : bytes.clear();
    bytes.put(SIGNATURE).putInt(0).putInt(0);
    rows = 0;
  }
}
