// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.json;

/**
 * Check by one pass over JSON text that it is {@link CanonicalJson canonical}, apart from how its
 * numbers are written. Sure of a yes only: a no may also mean that it would take more to see it.
 */
final class CanonicalJsonCheck {

  private static final int DEEPEST = 24;
  private static final int NONE = -1;

  private final byte[] json;
  private final int start;
  private final int limit;

  /** By depth, where the key before the next one stands. */
  private final int[] keys = new int[DEEPEST];

  /** Whether the last text has an escape. */
  private boolean escaped;

  private CanonicalJsonCheck(byte[] json, int start, int limit) {
    this.json = json;
    this.start = start;
    this.limit = limit;
  }

  static boolean isCanonical(byte[] json, int from, int to) {
    return new CanonicalJsonCheck(json, from, to).scan();
  }

  private boolean scan() {
    int depth = 0;
    int i = start;
    while (i < limit) {
      byte c = json[i];
      if (c <= ' ' || c > '~') {
        return false;
      }
      if (c == '{' || c == '[') {
        if (++depth == DEEPEST) {
          return false;
        }
        keys[depth] = NONE;
      } else if (c == '}' || c == ']') {
        depth = Math.max(0, depth - 1);
      } else if (c == '"') {
        int end = endOfText(i + 1);
        if (end < 0 || (isKey(end) && !isNext(i + 1, end, depth))) {
          return false;
        }
        i = end;
      }
      i++;
    }
    return true;
  }

  private boolean isKey(int end) {
    return end + 1 < limit && json[end + 1] == ':';
  }

  /**
   * Returns whether a key is behind the one before it; for escaped characters that isn't looked
   * into.
   */
  private boolean isNext(int first, int end, int depth) {
    int before = keys[depth];
    keys[depth] = first;
    if (escaped) {
      return false;
    }
    if (before == NONE) {
      return true;
    }
    int i = first;
    while (i < end && json[i] == json[before]) {
      i++;
      before++;
    }
    // A key that ends where another goes on comes first.
    int mine = i == end ? 0 : json[i];
    int theirs = json[before] == '"' ? 0 : json[before];
    return mine > theirs;
  }

  /**
   * Returns where the quote that ends a text is; negative when an escape or a character isn't
   * canonical.
   */
  private int endOfText(int first) {
    escaped = false;
    int i = first;
    while (i < limit) {
      byte c = json[i];
      if (c == '"') {
        return i;
      }
      if (c < ' ' || c > '~') {
        return -1;
      }
      if (c == '\\') {
        int length = escape(i + 1);
        if (length == 0) {
          return -1;
        }
        escaped = true;
        i += length;
      }
      i++;
    }
    return -1;
  }

  /** Returns how long a canonical escape is without its backslash; 0 for any other. */
  private int escape(int at) {
    if (at >= limit) {
      return 0;
    }
    byte c = json[at];
    if (c != 'u') {
      return "\"\\nrtbf".indexOf(c) < 0 ? 0 : 1;
    }
    int code = 0;
    for (int i = at + 1; i <= at + 4; i++) {
      int digit = i < limit ? "0123456789abcdef".indexOf(json[i]) : -1;
      if (digit < 0) {
        return 0;
      }
      code = code << 4 | digit;
    }
    boolean needed = code > '~' || (code < ' ' && "\n\r\t\b\f".indexOf(code) < 0);
    return needed ? 5 : 0;
  }
}
