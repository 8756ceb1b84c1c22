// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Dictionary of the values of a column in the order in which they came, in their plain form. */
final class ValueDictionary {

  private static final int FULL_BYTES = 1 << 18;
  private static final int FREE = -1;
  private static final long SPREAD = 0x9e3779b97f4a7c15L;
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final PlainBytes values = new PlainBytes(256);
  private int[] ends = new int[16];
  private int[] hashes = new int[16];
  private int[] slots = new int[32];
  private int size;
  private int last;

  ValueDictionary() {
    Arrays.fill(slots, FREE);
  }

  int size() {
    return size;
  }

  /** Returns how many bytes the first so many values take. */
  int bytes(int count) {
    return count == 0 ? 0 : ends[count - 1];
  }

  byte[] array() {
    return values.array();
  }

  /** Returns whether it has grown so large that it saves nothing any more. */
  boolean isFull() {
    return values.length() > FULL_BYTES;
  }

  /**
   * Returns the number of eight bytes, which are entered if they are new; often they are those
   * before.
   */
  int numberOf(long whole) {
    if (size > 0 && whole(last) == whole) {
      return last;
    }
    int hash = (int) ((whole * SPREAD) >>> 32);
    int slot = slot(hash);
    while (slots[slot] != FREE) {
      int number = slots[slot];
      if (whole(number) == whole) {
        last = number;
        return number;
      }
      slot = next(slot);
    }
    values.whole(whole);
    return enter(slot, hash);
  }

  private long whole(int number) {
    return (long) LONG.get(values.array(), number * Long.BYTES);
  }

  /** Returns the number of a text. */
  int numberOfText(byte[] source, int from, int to) {
    if (size > 0 && isValue(last, Integer.BYTES, source, from, to)) {
      return last;
    }
    int hash = hash(source, from, to);
    int slot = find(hash, Integer.BYTES, source, from, to);
    if (slots[slot] == FREE) {
      values.text(source, from, to);
      return enter(slot, hash);
    }
    last = slots[slot];
    return last;
  }

  /** Returns the number of a value of the length that all have. */
  int numberOfFixed(byte[] value) {
    int hash = hash(value, 0, value.length);
    int slot = find(hash, 0, value, 0, value.length);
    if (slots[slot] == FREE) {
      values.write(value, 0, value.length);
      return enter(slot, hash);
    }
    return slots[slot];
  }

  /**
   * Returns where the value is, or would be; its plain form begins with so many bytes of length.
   */
  private int find(int hash, int prefix, byte[] source, int from, int to) {
    int slot = slot(hash);
    while (slots[slot] != FREE) {
      int number = slots[slot];
      if (hashes[number] == hash && isValue(number, prefix, source, from, to)) {
        return slot;
      }
      slot = next(slot);
    }
    return slot;
  }

  private boolean isValue(int number, int prefix, byte[] source, int from, int to) {
    int start = (number == 0 ? 0 : ends[number - 1]) + prefix;
    return Arrays.equals(values.array(), start, ends[number], source, from, to);
  }

  private int slot(int hash) {
    return hash & (slots.length - 1);
  }

  private int next(int slot) {
    return (slot + 1) & (slots.length - 1);
  }

  private int enter(int slot, int hash) {
    slots[slot] = size;
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, size * 2);
      hashes = Arrays.copyOf(hashes, size * 2);
    }
    hashes[size] = hash;
    ends[size++] = values.length();
    if (size * 2 > slots.length) {
      grow();
    }
    last = size - 1;
    return last;
  }

  private void grow() {
    slots = new int[slots.length * 2];
    Arrays.fill(slots, FREE);
    for (int number = 0; number < size; number++) {
      int slot = slot(hashes[number]);
      while (slots[slot] != FREE) {
        slot = next(slot);
      }
      slots[slot] = number;
    }
  }

  /** Hashes bytes, some of them twice rather than one by one: their count is hard to foresee. */
  private static int hash(byte[] bytes, int from, int to) {
    int count = to - from;
    long hash = count;
    if (count >= Long.BYTES) {
      for (int i = from; i + Long.BYTES < to; i += Long.BYTES) {
        hash = mixed(hash ^ (long) LONG.get(bytes, i));
      }
      hash = mixed(hash ^ (long) LONG.get(bytes, to - Long.BYTES));
    } else if (count >= Integer.BYTES) {
      long low = (int) INT.get(bytes, from) & 0xffffffffL;
      long high = (int) INT.get(bytes, to - Integer.BYTES);
      hash = mixed(mixed(hash ^ low) ^ high);
    } else if (count > 0) {
      hash = mixed(hash << 24 ^ bytes[from] << 16 ^ bytes[from + count / 2] << 8 ^ bytes[to - 1]);
    }
    return (int) (hash >>> 32);
  }

  private static long mixed(long hash) {
    long product = hash * SPREAD;
    return product ^ product >>> 32;
  }
}
