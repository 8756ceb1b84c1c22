// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/**
 * Bytes that tell by themselves whether they are whole and whose they are: an id, a length, a
 * filling that follows from both, and a checksum over all.
 */
final class SelfCheckingBytes {
  private static final int HEADER = Long.BYTES + Integer.BYTES;
  private static final int TRAILER = Long.BYTES;

  /** The shortest length that has room for id, length and checksum. */
  static final int SHORTEST = HEADER + TRAILER;

  private SelfCheckingBytes() {}

  static byte[] of(long id, int length) {
    if (length < SHORTEST) {
      throw new IllegalArgumentException(length + " bytes are too few; take " + SHORTEST);
    }
    ByteBuffer bytes = ByteBuffer.allocate(length).putLong(id).putInt(length);
    byte[] filling = new byte[length - HEADER - TRAILER];
    new SplittableRandom(id).nextBytes(filling);
    bytes.put(filling);
    return bytes.putLong(checksum(bytes.array())).array();
  }

  /** The id of bytes made by {@link #of}; fails when they are not exactly such. */
  static long idOf(byte[] bytes) {
    if (bytes.length < SHORTEST) {
      throw new AssertionError("torn: only " + bytes.length + " bytes");
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    long id = buffer.getLong();
    int length = buffer.getInt();
    if (length != bytes.length) {
      throw new AssertionError("torn: " + bytes.length + " bytes of " + length + ", id " + id);
    }
    if (buffer.getLong(length - TRAILER) != checksum(bytes)) {
      throw new AssertionError("torn: the checksum of id " + id + " is wrong");
    }
    return id;
  }

  static byte[] slice(byte[] bytes, int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }

  private static long checksum(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, bytes.length - TRAILER);
    return crc.getValue();
  }
}
