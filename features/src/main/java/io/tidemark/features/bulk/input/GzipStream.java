// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Unpacks gzip of one or more members (RFC 1952) up to the end of its source. {@link
 * java.util.zip.GZIPInputStream} takes the end of a member for the end of all if the next one
 * hasn't arrived yet, and passes over anything behind a member that isn't another one.
 *
 * <p>Fails with a {@link ZipException} if a part isn't gzip, and with an {@link EOFException} if
 * the last member is cut off.
 */
public final class GzipStream extends InputStream {

  private static final int BUFFER = 1 << 16;
  private static final int MAGIC = 0x8b1f;
  private static final int DEFLATED = 8;
  private static final int HEADER_SUM = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int RESERVED = 0xe0;
  private static final int TIME_AND_SYSTEM = 6;

  private final InputStream source;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 sum = new CRC32();
  private final byte[] buffer = new byte[BUFFER];
  private int position;
  private int filled;
  private boolean ended;

  /** Reads the header of the first member. */
  public GzipStream(InputStream source) throws IOException {
    this.source = source;
    try {
      readHeader();
    } catch (IOException | RuntimeException e) {
      inflater.end();
      throw e;
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    while (!ended) {
      int count = inflate(bytes, offset, length);
      if (count > 0) {
        sum.update(bytes, offset, count);
        return count;
      }
      if (inflater.finished()) {
        nextMember();
      } else if (inflater.needsInput()) {
        requireMore();
        inflater.setInput(buffer, position, filled - position);
        position = filled;
      } else {
        throw new ZipException("it needs a dictionary, which gzip doesn't have");
      }
    }
    return -1;
  }

  private int inflate(byte[] bytes, int offset, int length) throws ZipException {
    try {
      return inflater.inflate(bytes, offset, length);
    } catch (DataFormatException e) {
      throw new ZipException(e.getMessage() == null ? "it isn't deflated" : e.getMessage());
    }
  }

  private void nextMember() throws IOException {
    position = filled - inflater.getRemaining();
    long crc = readInt();
    long size = readInt();
    if (crc != sum.getValue() || size != (inflater.getBytesWritten() & 0xffffffffL)) {
      throw new ZipException("its content doesn't match its checksum");
    }
    ended = !hasMore();
    if (!ended) {
      inflater.reset();
      sum.reset();
      readHeader();
    }
  }

  private void readHeader() throws IOException {
    if (readShort() != MAGIC || readByte() != DEFLATED) {
      throw new ZipException("it isn't gzip, or something else follows the gzip");
    }
    int flags = readByte();
    if ((flags & RESERVED) != 0) {
      throw new ZipException("it is gzip of a kind that isn't known");
    }
    skipBytes(TIME_AND_SYSTEM);
    if ((flags & EXTRA) != 0) {
      skipBytes(readShort());
    }
    if ((flags & NAME) != 0) {
      skipText();
    }
    if ((flags & COMMENT) != 0) {
      skipText();
    }
    if ((flags & HEADER_SUM) != 0) {
      skipBytes(2);
    }
  }

  private void skipBytes(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      int unused = readByte();
    }
  }

  private void skipText() throws IOException {
    int last;
    do {
      last = readByte();
    } while (last != 0);
  }

  private long readInt() throws IOException {
    return readShort() | (long) readShort() << 16;
  }

  private int readShort() throws IOException {
    int low = readByte();
    return low | readByte() << 8;
  }

  private int readByte() throws IOException {
    requireMore();
    return buffer[position++] & 0xff;
  }

  private void requireMore() throws IOException {
    if (!hasMore()) {
      throw new EOFException("the gzip is cut off");
    }
  }

  /** Returns whether a byte is left, and waits for it if need be. */
  private boolean hasMore() throws IOException {
    if (position == filled) {
      position = 0;
      filled = Math.max(0, source.read(buffer, 0, BUFFER));
    }
    return position < filled;
  }

  @Override
  public void close() throws IOException {
    ended = true;
    inflater.end();
    source.close();
  }
}
