// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Snappy block format, with which most Parquet files are compressed.
 *
 * <p>Written here because equal rows must give equal bytes on every machine, which a native library
 * doesn't promise, and because those in Java reach around the language in ways that newer Javas
 * warn of. Format: the length as a varint, then literals and copies of what came up to 64 KiB
 * before; the lowest two bits of a tag say which. Compressing looks at the last place where the
 * same four bytes began.
 */
final class Snappy {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int BLOCK = 1 << 16;
  private static final int HASH_BITS = 14; // at most

  /**
   * Fewer bytes than this at the end of a block are always a literal, so that it can be read on.
   */
  private static final int MARGIN = 15;

  private static final int SHORT = 16;

  private Snappy() {}

  /** Returns the bytes, compressed; may be a little longer when there is nothing to gain. */
  static byte[] compress(byte[] bytes) {
    byte[] out = new byte[mostFor(bytes.length)];
    return Arrays.copyOf(out, compress(bytes, 0, bytes.length, out));
  }

  /** Returns how long so many bytes can get. */
  static int mostFor(int length) {
    return Math.addExact(32, length + length / 6);
  }

  /**
   * Compresses some bytes of an array.
   *
   * @param target has room for as many as there can be
   * @return how many there are
   */
  static int compress(byte[] bytes, int from, int to, byte[] target) {
    Output out = new Output(target);
    int length = to - from;
    int rest = length;
    while (rest >= 0x80) {
      out.bytes[out.length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    out.bytes[out.length++] = (byte) rest;
    int bits = Math.max(8, Math.min(HASH_BITS, 32 - Integer.numberOfLeadingZeros(length)));
    short[] seen = new short[1 << bits]; // no larger than the bytes, to be cheap for few
    for (int start = from; start < to; start += BLOCK) {
      Arrays.fill(seen, (short) 0);
      out.block(bytes, start, Math.min(start + BLOCK, to), seen);
    }
    return out.length;
  }

  /** Compressed bytes that have been written so far. */
  private static final class Output {
    private final byte[] bytes;
    private int length;

    Output(byte[] bytes) {
      this.bytes = bytes;
    }

    void block(byte[] in, int start, int end, short[] seen) {
      int shift = Integer.numberOfLeadingZeros(seen.length) + 1;
      int literal = start;
      int at = start + 1;
      int limit = end - MARGIN;
      int misses = 32;
      while (at < limit) {
        int word = (int) INT.get(in, at);
        int slot = (word * 0x1e35a7bd) >>> shift;
        int candidate = start + (seen[slot] & 0xffff);
        seen[slot] = (short) (at - start);
        if ((int) INT.get(in, candidate) != word) {
          at += misses++ >>> 5; // the longer nothing matches, the larger the steps
          continue;
        }
        literal(in, literal, at);
        int end2 = at + 4 + matching(in, candidate + 4, at + 4, end);
        copy(at - candidate, end2 - at);
        at = end2;
        literal = at;
        misses = 32;
      }
      literal(in, literal, end);
    }

    private void literal(byte[] in, int from, int to) {
      int count = to - from;
      if (count == 0) {
        return;
      }
      int n = count - 1;
      if (n < 60) {
        bytes[length++] = (byte) (n << 2);
      } else if (n < 0x100) {
        bytes[length++] = (byte) (60 << 2);
        bytes[length++] = (byte) n;
      } else {
        bytes[length++] = (byte) (61 << 2);
        bytes[length++] = (byte) n;
        bytes[length++] = (byte) (n >>> 8);
      }
      if (count <= SHORT && in.length - from >= SHORT && bytes.length - length >= SHORT) {
        // Sixteen bytes, of which the next ones overwrite what is too much: faster than as many
        // as there are.
        LONG.set(bytes, length, (long) LONG.get(in, from));
        LONG.set(bytes, length + 8, (long) LONG.get(in, from + 8));
      } else {
        System.arraycopy(in, from, bytes, length, count);
      }
      length += count;
    }

    private void copy(int offset, int count) {
      int rest = count;
      while (rest >= 68) {
        longCopy(offset, 64);
        rest -= 64;
      }
      if (rest > 64) { // leaves at least 4, the fewest a copy may have
        longCopy(offset, 60);
        rest -= 60;
      }
      if (rest < 12 && offset < 2048) {
        bytes[length++] = (byte) (1 | (rest - 4) << 2 | (offset >>> 8) << 5);
        bytes[length++] = (byte) offset;
      } else {
        longCopy(offset, rest);
      }
    }

    private void longCopy(int offset, int count) {
      bytes[length++] = (byte) (2 | (count - 1) << 2);
      bytes[length++] = (byte) offset;
      bytes[length++] = (byte) (offset >>> 8);
    }

    private static int matching(byte[] in, int one, int other, int end) {
      int start = other;
      int a = one;
      int b = other;
      while (b + Long.BYTES <= end) {
        long difference = (long) LONG.get(in, a) ^ (long) LONG.get(in, b);
        if (difference != 0) {
          return b - start + (Long.numberOfTrailingZeros(difference) >>> 3);
        }
        a += Long.BYTES;
        b += Long.BYTES;
      }
      while (b < end && in[a] == in[b]) {
        a++;
        b++;
      }
      return b - start;
    }
  }

  /**
   * Returns the bytes as they were.
   *
   * @param length how many there must be
   * @throws CorruptFileException when the input isn't Snappy or of another length
   */
  static byte[] decompress(byte[] in, int offset, int end, int length) {
    int at = offset;
    int declared = 0;
    for (int shift = 0; ; shift += 7) {
      require(at < end && shift < 32);
      byte b = in[at++];
      declared |= (b & 0x7f) << shift;
      if (b >= 0) {
        break;
      }
    }
    // No copy makes more than 64 bytes of its two or three.
    require(declared == length && length >= 0 && length / 64 <= end - at);
    byte[] out = new byte[length];
    int written = 0;
    while (at < end) {
      int tag = in[at++] & 0xff;
      int kind = tag & 3;
      int operands = kind == 0 ? Math.max(0, (tag >>> 2) - 59) : 1 << (kind - 1);
      require(operands <= end - at);
      long operand = 0;
      for (int i = 0; i < operands; i++) {
        operand |= (in[at++] & 0xffL) << (8 * i);
      }
      if (kind == 0) {
        long count = 1 + (operands == 0 ? tag >>> 2 : operand);
        require(count <= end - at && count <= length - written);
        System.arraycopy(in, at, out, written, (int) count);
        at += (int) count;
        written += (int) count;
      } else {
        int count = kind == 1 ? 4 + ((tag >>> 2) & 7) : 1 + (tag >>> 2);
        long distance = kind == 1 ? operand | (long) (tag >>> 5) << 8 : operand;
        require(distance > 0 && distance <= written && count <= length - written);
        repeat(out, written, (int) distance, count);
        written += count;
      }
    }
    require(written == length);
    return out;
  }

  private static void repeat(byte[] out, int at, int distance, int count) {
    if (distance >= count) {
      System.arraycopy(out, at - distance, out, at, count);
      return;
    }
    for (int i = at; i < at + count; i++) {
      out[i] = out[i - distance];
    }
  }

  private static void require(boolean sound) {
    if (!sound) {
      throw new CorruptFileException(
          "a page isn't what Snappy makes, or not of the length it claims; fetch the file again,"
              + " and if it stays so restore it from a copy");
    }
  }
}
