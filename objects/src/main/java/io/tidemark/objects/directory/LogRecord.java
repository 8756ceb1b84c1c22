// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.UnsupportedStoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * One line of a write log.
 *
 * <p>On disk: the length of what follows the checksum, the checksum, which covers the generation of
 * the segment too, and the fields. So what an earlier use of the file has left is never read.
 *
 * @param kind the kind of the record
 * @param order when, by {@link HostOps#ticks()} with the key locked; greater than that of every
 *     earlier record of the key, whichever process made it
 * @param before the stamp of the version that the write found, or {@link #NOTHING}
 * @param stamp that of the new version, or {@link #NOTHING}
 * @param body the new version's bytes; empty but for a put
 */
record LogRecord(Kind kind, long order, long before, long stamp, String key, ByteBuffer body) {

  /** Kind of record. */
  enum Kind {
    /** The key has this body now. */
    PUT('p'),
    /** The key is gone. */
    DELETE('d'),
    /** The record of the same process with this order was not carried out. */
    ABORTED('a'),
    /** All earlier records of the key are done with; what the disk has is right. */
    SETTLED('s');

    private final char letter;

    Kind(char letter) {
      this.letter = letter;
    }

    static Kind of(byte letter) {
      for (Kind kind : values()) {
        if (kind.letter == letter) {
          return kind;
        }
      }
      throw new UnsupportedStoreException(
          "a write log has a record of the kind '"
              + (char) letter
              + "', which this version of Tidemark doesn't know; open the store with a newer one");
    }
  }

  /** No version; no file is as old. */
  static final long NOTHING = Long.MIN_VALUE;

  private static final int LEAD = 2 * Integer.BYTES;
  private static final int FIXED = 1 + 3 * Long.BYTES + Integer.BYTES;
  private static final ByteBuffer NO_BODY = ByteBuffer.allocate(0);

  static LogRecord put(long order, long before, FileVersion fileVersion, String key, byte[] body) {
    return new LogRecord(
        Kind.PUT, order, before, fileVersion.stampMicros(), key, ByteBuffer.wrap(body));
  }

  static LogRecord delete(long order, long before, String key) {
    return new LogRecord(Kind.DELETE, order, before, NOTHING, key, NO_BODY);
  }

  static LogRecord aborted(long order, String key) {
    return new LogRecord(Kind.ABORTED, order, NOTHING, NOTHING, key, NO_BODY);
  }

  static LogRecord settled(long order, String key) {
    return new LogRecord(Kind.SETTLED, order, NOTHING, NOTHING, key, NO_BODY);
  }

  /** Returns the most bytes that a record takes. */
  int mostBytes() {
    return LEAD + FIXED + 3 * key.length() + body.remaining();
  }

  void write(ByteBuffer out, long generation) {
    int start = out.position();
    byte[] name = key.getBytes(StandardCharsets.UTF_8);
    out.position(start + LEAD);
    out.put((byte) kind.letter).putLong(order).putLong(before).putLong(stamp);
    out.putInt(name.length).put(name).put(body.duplicate());
    int length = out.position() - start - LEAD;
    out.putInt(start, length);
    out.putInt(start + Integer.BYTES, checksum(generation, out.slice(start + LEAD, length)));
  }

  /**
   * Returns the next record; empty at the end, which is where nothing whole of this generation
   * follows.
   */
  static Optional<LogRecord> read(ByteBuffer in, long generation) {
    if (in.remaining() < LEAD + FIXED) {
      return Optional.empty();
    }
    int length = in.getInt(in.position());
    if (length < FIXED || length > in.remaining() - LEAD) {
      return Optional.empty();
    }
    ByteBuffer fields = in.slice(in.position() + LEAD, length);
    if (in.getInt(in.position() + Integer.BYTES) != checksum(generation, fields.duplicate())) {
      return Optional.empty();
    }
    in.position(in.position() + LEAD + length);
    return Optional.of(fields(fields));
  }

  private static LogRecord fields(ByteBuffer in) {
    Kind kind = Kind.of(in.get());
    long order = in.getLong();
    long before = in.getLong();
    long stamp = in.getLong();
    byte[] name = new byte[in.getInt()];
    in.get(name);
    return new LogRecord(
        kind, order, before, stamp, new String(name, StandardCharsets.UTF_8), in.slice());
  }

  private static int checksum(long generation, ByteBuffer fields) {
    CRC32C sum = new CRC32C();
    sum.update(ByteBuffer.allocate(Long.BYTES).putLong(0, generation));
    sum.update(fields);
    return (int) sum.getValue();
  }
}
