// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.parquet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The different values of a column in the order in which they came, in their plain form. */
final class ValueDictionary {

  private static final int FULL_BYTES = 1 << 18;
  private static final int FREE = -1;
  private static final long SPREAD = 0x9e3779b97f4a7c15L;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final PlainBytes values = new PlainBytes(256);
  private int[] ends = new int[16];
  private int[] slots = new int[32];
  private int size;
  private int last;

  ValueDictionary() {
    Arrays.fill(slots, FREE);
  }

  int size() {
    return size;
  }

  /** How many bytes the first so many values take. */
  int bytes(int count) {
    return count == 0 ? 0 : ends[count - 1];
  }

  byte[] array() {
    return values.array();
  }

  /** Whether it has grown so large that it saves nothing any more. */
  boolean isFull() {
    return values.length() > FULL_BYTES;
  }

  /** The number of a value, which is entered if it is new; often it is the one before. */
  int numberOf(byte[] plain, int from, int to) {
    if (size == 0 || !isValue(last, plain, from, to)) {
      last = find(plain, from, to);
    }
    return last;
  }

  private boolean isValue(int number, byte[] plain, int from, int to) {
    return Arrays.equals(values.array(), start(number), ends[number], plain, from, to);
  }

  private int find(byte[] plain, int from, int to) {
    int mask = slots.length - 1;
    int slot = hash(plain, from, to) & mask;
    while (slots[slot] != FREE) {
      int number = slots[slot];
      if (isValue(number, plain, from, to)) {
        return number;
      }
      slot = (slot + 1) & mask;
    }
    slots[slot] = size;
    values.write(plain, from, to - from);
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, size * 2);
    }
    ends[size++] = values.length();
    if (size * 2 > slots.length) {
      grow();
    }
    return size - 1;
  }

  private int start(int number) {
    return number == 0 ? 0 : ends[number - 1];
  }

  private void grow() {
    slots = new int[slots.length * 2];
    Arrays.fill(slots, FREE);
    int mask = slots.length - 1;
    for (int number = 0; number < size; number++) {
      int slot = hash(values.array(), start(number), ends[number]) & mask;
      while (slots[slot] != FREE) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = number;
    }
  }

  private static int hash(byte[] bytes, int from, int to) {
    long hash = (long) to - from;
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      hash = (hash ^ (long) LONG.get(bytes, i)) * SPREAD;
      hash ^= hash >>> 32;
    }
    for (; i < to; i++) {
      hash = (hash ^ bytes[i]) * SPREAD;
    }
    return (int) (hash >>> 32);
  }
}
