// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.json;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * {@link CanonicalJson Canonical} JSON that is built from left to right as bytes, in an array that
 * is reused. The caller guarantees that the JSON is canonical. In return it needn't be scanned
 * again, neither to check it nor for its {@link NormalizedJson value form}: the buffer notes how
 * numbers differ from that form as they are added.
 */
public final class CanonicalJsonBuffer {

  private static final byte[] NULL = "null".getBytes(US_ASCII);
  private static final byte[] TRUE = "true".getBytes(US_ASCII);
  private static final byte[] FALSE = "false".getBytes(US_ASCII);
  private static final byte[] LEAST = Long.toString(Long.MIN_VALUE).getBytes(US_ASCII);
  private static final int MOST_DIGITS = 19;

  /** As in "5.0", whose value form is "5". */
  private static final int POINT_ZERO = 2;

  private byte[] bytes = new byte[256];
  private int length;

  /** Behind which places a point and a zero don't belong to the value form. */
  private int[] cuts = new int[8];

  private int cutCount;
  private boolean odd;

  /** Forgets what was put together. */
  public void clear() {
    length = 0;
    cutCount = 0;
    odd = false;
  }

  /** Returns the array that holds the JSON, from 0 on; valid until more is added. */
  public byte[] array() {
    return bytes;
  }

  /** Returns the number of bytes. */
  public int length() {
    return length;
  }

  /** Adds ASCII as it is: names, brackets, commas. */
  public void add(byte[] ascii) {
    add(ascii, 0, ascii.length);
  }

  /** Adds a part of it as it is; whatever numbers are in it have to be whole. */
  public void add(byte[] ascii, int from, int to) {
    ensureCapacity(to - from);
    System.arraycopy(ascii, from, bytes, length, to - from);
    length += to - from;
  }

  /** Adds canonical JSON whose numbers may be any. */
  public void addValue(CharSequence json) {
    byte[] ascii = json.toString().getBytes(US_ASCII);
    add(ascii, 0, ascii.length);
    odd = true;
  }

  /** Marks the last number added as ending with {@code .0}. */
  public void markPointZero() {
    if (cutCount == cuts.length) {
      cuts = Arrays.copyOf(cuts, cutCount * 2);
    }
    cuts[cutCount++] = length - POINT_ZERO;
  }

  /** Adds a text in quotes; false, and nothing is added, when it takes escapes. */
  public boolean addString(String text) {
    int count = text.length();
    ensureCapacity(Math.addExact(count, 2));
    byte[] out = bytes;
    int at = length;
    out[at++] = '"';
    for (int i = 0; i < count; i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        return false;
      }
      out[at++] = (byte) c;
    }
    out[at++] = '"';
    length = at;
    return true;
  }

  /** Adds null. */
  public void addNull() {
    add(NULL);
  }

  /** Adds a boolean. */
  public void addBoolean(boolean value) {
    add(value ? TRUE : FALSE);
  }

  /** Adds a whole number. */
  public void addLong(long value) {
    if (value == Long.MIN_VALUE) {
      add(LEAST);
      return;
    }
    ensureCapacity(MOST_DIGITS + 1);
    if (value < 0) {
      bytes[length++] = '-';
    }
    long rest = Math.abs(value);
    int end = length + digits(rest);
    int at = end;
    do {
      bytes[--at] = (byte) ('0' + rest % 10);
      rest /= 10;
    } while (rest > 0);
    length = end;
  }

  private static int digits(long number) {
    int digits = 1;
    for (long limit = 10; digits < MOST_DIGITS && number >= limit; limit *= 10) {
      digits++;
    }
    return digits;
  }

  /** Adds a number, which must be finite. */
  public void addDouble(double value) {
    long scaled = PythonDouble.tenThousandths(Math.abs(value));
    if (scaled < 0) {
      addValue(PythonDouble.format(value));
      return;
    }
    long whole = scaled / PythonDouble.FRACTION;
    int rest = (int) (scaled % PythonDouble.FRACTION);
    if (value < 0) {
      ensureCapacity(1);
      bytes[length++] = '-';
    }
    addLong(whole);
    ensureCapacity(5);
    bytes[length++] = '.';
    int unit = PythonDouble.FRACTION / 10;
    do {
      bytes[length++] = (byte) ('0' + rest / unit);
      rest %= unit;
      unit /= 10;
    } while (rest > 0);
    if (scaled % PythonDouble.FRACTION == 0) {
      markPointZero();
    }
  }

  private void ensureCapacity(int count) {
    if (bytes.length - length < count) {
      int wanted = Math.addExact(length, count);
      bytes = Arrays.copyOf(bytes, (int) Math.max(wanted, Math.min(length * 2L, 1 << 30)));
    }
  }

  void feedValue(NormalizedJson.Target target) {
    if (odd) {
      NormalizedJson.feedCanonical(bytes, 0, length, target);
      return;
    }
    int copied = 0;
    for (int i = 0; i < cutCount; i++) {
      target.add(bytes, copied, cuts[i]);
      copied = cuts[i] + POINT_ZERO;
    }
    target.add(bytes, copied, length);
  }

  @Override
  public String toString() {
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
  }
}
