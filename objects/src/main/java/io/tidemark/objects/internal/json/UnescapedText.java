// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Texts in JSON that are the same with and without their quotes, as nearly all are. */
public final class UnescapedText {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101010101010101L;
  private static final long TOPS = 0x8080808080808080L;
  private static final long QUOTES = ONES * '"';
  private static final long BACKSLASHES = ONES * '\\';
  private static final long SPACES = ONES * ' ';
  private static final long DELETES = ONES * 0x7f;

  private UnescapedText() {}

  /**
   * Returns where the first character is that can't be in such a text: a quote, or one that
   * canonical JSON escapes. The limit if there is none before it.
   */
  public static int end(byte[] json, int from, int limit) {
    int at = from;
    for (; at + Long.BYTES <= limit; at += Long.BYTES) {
      long found = foreign((long) LONG.get(json, at));
      if (found != 0) {
        return at + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    while (at < limit && isPlain(json[at])) {
      at++;
    }
    return at;
  }

  /**
   * Returns the top bits of bytes that aren't plain. Subtracting borrows from the byte above, so
   * that only the lowest of them is told for certain.
   */
  private static long foreign(long eight) {
    long quotes = eight ^ QUOTES;
    long backslashes = eight ^ BACKSLASHES;
    long deletes = eight ^ DELETES;
    long zeros =
        ((quotes - ONES) & ~quotes)
            | ((backslashes - ONES) & ~backslashes)
            | ((deletes - ONES) & ~deletes)
            | ((eight - SPACES) & ~eight)
            | eight;
    return zeros & TOPS;
  }

  /** Returns whether a character stands for itself. What is beyond ASCII is negative. */
  public static boolean isPlain(byte c) {
    return c >= ' ' && c != '"' && c != '\\' && c != 0x7f;
  }
}
