// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/**
 * The rules that keys follow on every store, so that what works on one works on all.
 *
 * <p>A key is 1 to 1,024 bytes of UTF-8: segments joined by {@code /}, none of them empty, {@code
 * .} or {@code ..}, without control characters.
 */
public final class ObjectKeys {

  /** S3's limit, taken for all stores. */
  public static final int MAX_BYTES = 1024;

  /**
   * The order of the keys' UTF-8 bytes, which is that of their code points. Java's own order of
   * strings is another one where surrogates meet U+E000 to U+FFFF.
   */
  public static final Comparator<String> ORDER = ObjectKeys::compareCodePoints;

  private ObjectKeys() {}

  /** Returns the key, or says what is wrong with it. */
  public static String check(String key) {
    if (key.isEmpty()) {
      throw new InvalidKeyException(key, "is empty; give it at least one character");
    }
    checkText(key);
    for (String segment : key.split("/", -1)) {
      if (segment.isEmpty()) {
        throw new InvalidKeyException(
            key, "has an empty segment; remove the leading, trailing or doubled '/'");
      }
      if (segment.equals(".") || segment.equals("..")) {
        throw new InvalidKeyException(key, "has the segment '" + segment + "'; spell the key out");
      }
    }
    return key;
  }

  /** Returns the prefix, which may be empty or end anywhere, or says what is wrong with it. */
  public static String checkPrefix(String prefix) {
    checkText(prefix);
    return prefix;
  }

  private static void checkText(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x20 || c == 0x7f) {
        throw new InvalidKeyException(
            text,
            String.format("has the control character U+%04X; leave it out or encode it", (int) c));
      }
    }
    if (utf8Length(text) > MAX_BYTES) {
      throw new InvalidKeyException(
          text, "is " + utf8Length(text) + " bytes long; at most " + MAX_BYTES + " are allowed");
    }
  }

  private static int utf8Length(String text) {
    try {
      return StandardCharsets.UTF_8
          .newEncoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .encode(CharBuffer.wrap(text))
          .remaining();
    } catch (CharacterCodingException e) {
      throw new InvalidKeyException(text, "has half of a surrogate pair; use whole characters", e);
    }
  }

  private static int compareCodePoints(String a, String b) {
    int shorter = Math.min(a.length(), b.length());
    for (int i = 0; i < shorter; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        boolean oneIsSurrogate = Character.isSurrogate(x) != Character.isSurrogate(y);
        if (oneIsSurrogate) {
          return Character.isSurrogate(x) ? 1 : -1;
        }
        return Character.compare(x, y);
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
