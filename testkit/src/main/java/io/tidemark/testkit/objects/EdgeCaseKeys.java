// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/** Keys that stores tend to stumble over. */
final class EdgeCaseKeys {

  /** Parts of keys; several are easily taken for one another, or for files of the store's own. */
  static final List<String> SEGMENTS =
      List.of(
          "a", "A", "b", "a ", " a", "a.", "a..", "..a", "...", ".hidden", ".tmp", ".lock", "a.tmp",
          "a.lock", "a.part", "a.json", "a-b", "a+b", "a b", "a%20b", "%", "x%", "%2F", "%2f",
          "%41", "%2E%2E", "&", "?", "#", "=", "a=b&c", "~", "!", "*", "'", "\"", "<x>", "|", ":",
          ";", "@", "$", "\\", "a\\b", "é", "e\u0301", "ß", "SS", "İ", "中文", "\uE000", "\uFFFD",
          "😀", "😁", "con", "NUL", "_", "-", "0");

  private EdgeCaseKeys() {}

  /** Each nasty part by itself, below another and above another, and some of extreme length. */
  static List<String> all() {
    List<String> keys = new ArrayList<>();
    for (String segment : SEGMENTS) {
      Collections.addAll(keys, segment, "d/" + segment, segment + "/x");
    }
    Collections.addAll(keys, "a.json/b", "a/b/c/d/e/f/g/h", "s".repeat(255), "s".repeat(256));
    Collections.addAll(
        keys, "t".repeat(300) + "/" + "u".repeat(300), "é".repeat(200), "%".repeat(255));
    return keys;
  }

  /** Returns a key of exactly so many bytes. */
  static String ofLength(int bytes) {
    return "k".repeat(bytes);
  }

  /** A key of one to three nasty parts. */
  static String random(RandomGenerator random) {
    StringBuilder key = new StringBuilder(segment(random));
    for (int more = random.nextInt(3); more > 0; more--) {
      key.append('/').append(segment(random));
    }
    return key.toString();
  }

  private static String segment(RandomGenerator random) {
    return SEGMENTS.get(random.nextInt(SEGMENTS.size()));
  }
}
