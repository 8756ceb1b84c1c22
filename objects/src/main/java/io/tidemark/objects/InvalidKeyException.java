// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import org.jspecify.annotations.Nullable;

/** A key, or the prefix of one, that no store takes. See {@link ObjectKeys}. */
public final class InvalidKeyException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private static final int SHOWN_CHARACTERS = 80;

  public InvalidKeyException(String key, String problem) {
    this(key, problem, null);
  }

  public InvalidKeyException(String key, String problem, @Nullable Throwable cause) {
    super(ErrorCode.INVALID_KEY, "the key \"" + printable(key) + "\" " + problem, cause);
  }

  private static String printable(String key) {
    StringBuilder shown = new StringBuilder();
    key.codePoints()
        .limit(SHOWN_CHARACTERS)
        .forEach(
            c -> {
              boolean plain = !Character.isISOControl(c) && !isSurrogate(c);
              shown.append(plain ? Character.toString(c) : String.format("\\u%04x", c));
            });
    return key.codePointCount(0, key.length()) > SHOWN_CHARACTERS
        ? shown + "..."
        : shown.toString();
  }

  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
