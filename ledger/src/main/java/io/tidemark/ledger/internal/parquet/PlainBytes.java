// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Growing buffer of values in Parquet's plain form, emptied and filled again and again. */
final class PlainBytes extends OutputStream {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes;
  private int length;

  PlainBytes(int capacity) {
    this.bytes = new byte[capacity];
  }

  /** Returns the array with the bytes, from 0 on; valid until more are added. */
  byte[] array() {
    return bytes;
  }

  int length() {
    return length;
  }

  void clear() {
    length = 0;
  }

  /** Sets the length to so many bytes, whatever is in them. */
  void clear(int kept) {
    length = kept;
  }

  void whole(long value) {
    room(Long.BYTES);
    LONG.set(bytes, length, value);
    length += Long.BYTES;
  }

  void size(int value) {
    room(Integer.BYTES);
    INT.set(bytes, length, value);
    length += Integer.BYTES;
  }

  /** Adds a text with its length before it. */
  void text(byte[] source, int from, int to) {
    int count = to - from;
    room(Math.addExact(Integer.BYTES, count));
    INT.set(bytes, length, count);
    System.arraycopy(source, from, bytes, length + Integer.BYTES, count);
    length += Integer.BYTES + count;
  }

  @Override
  public void write(int b) {
    room(1);
    bytes[length++] = (byte) b;
  }

  @Override
  public void write(byte[] source, int from, int count) {
    room(count);
    System.arraycopy(source, from, bytes, length, count);
    length += count;
  }

  /** Sets a bit behind whole bytes; bits come in order, the lowest of a byte first. */
  void bit(int index, boolean set) {
    if (index % Byte.SIZE == 0) {
      write(0);
    }
    if (set) {
      bytes[length - 1] |= (byte) (1 << index % Byte.SIZE);
    }
  }

  private void room(int count) {
    if (bytes.length - length < count) {
      int wanted = Math.addExact(length, count);
      bytes = Arrays.copyOf(bytes, (int) Math.max(wanted, Math.min(length * 2L, 1 << 30)));
    }
  }
}
