// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.testkit.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which keys there are, and their order. */
class ObjectKeysTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a", "a/b", "...", "..a", "a..", ".hidden", "a b", " ", "%2F", "é", "😀", "\u0080", "\uFFFD"
      })
  void plainAndOddKeysAreAllowed(String key) {
    assertThat(ObjectKeys.check(key)).isEqualTo(key);
  }

  @Test
  void aKeyMayHave1024BytesAndNoMore() {
    assertThat(ObjectKeys.check("k".repeat(1024))).hasSize(1024);
    assertThat(ObjectKeys.check("é".repeat(512))).hasSize(512);
    assertThat(ObjectKeys.check("😀".repeat(256))).hasSize(512);
    assertInvalid("k".repeat(1025), "is 1025 bytes long; at most 1024 are allowed");
    assertInvalid("é".repeat(512) + "k", "is 1025 bytes long; at most 1024 are allowed");
  }

  @Test
  void aBadKeyIsRefusedWithTheReason() {
    assertInvalid("", "is empty");
    assertInvalid(".", "has the segment '.'");
    assertInvalid("..", "has the segment '..'");
    assertInvalid("a/../b", "has the segment '..'");
    assertInvalid("/a", "has an empty segment");
    assertInvalid("a/", "has an empty segment");
    assertInvalid("a//b", "has an empty segment");
    assertInvalid("a\u0000b", "has the control character U+0000");
    assertInvalid("a\u001Fb", "has the control character U+001F");
    assertInvalid("a\u007Fb", "has the control character U+007F");
    assertInvalid("\uD83D", "has half of a surrogate pair");
    assertInvalid("a\uDE00b", "has half of a surrogate pair");
  }

  @Test
  void theMessageShowsTheKeySoThatItCanBeRead() {
    assertThatThrownBy(() -> ObjectKeys.check("a\nb"))
        .hasMessageStartingWith("the key \"a\\u000ab\" has the control character");
    assertThatThrownBy(() -> ObjectKeys.check("a\uD83Db"))
        .hasMessageStartingWith("the key \"a\\ud83db\" has half");
    assertThatThrownBy(() -> ObjectKeys.check("k".repeat(2000)))
        .hasMessageStartingWith("the key \"" + "k".repeat(80) + "...\" is 2000 bytes long");
  }

  @Test
  void aPrefixMayBeEmptyAndEndAnywhere() {
    for (String prefix : List.of("", "a", "a/", "a/b", "/", "..")) {
      assertThat(ObjectKeys.checkPrefix(prefix)).isEqualTo(prefix);
    }
    assertThatThrownBy(() -> ObjectKeys.checkPrefix("a\u0000"))
        .isInstanceOf(InvalidKeyException.class);
    assertThatThrownBy(() -> ObjectKeys.checkPrefix("\uD83D"))
        .isInstanceOf(InvalidKeyException.class);
  }

  @Test
  void keysAreOrderedByTheirUtf8Bytes() {
    List<String> mixed = List.of("😀", "\uFFFD", "\uE000", "a", "é", "a/b", "a-b", "A", "a0", "中");
    assertThat(mixed.stream().sorted(ObjectKeys.ORDER))
        .containsExactly("A", "a", "a-b", "a/b", "a0", "é", "中", "\uE000", "\uFFFD", "😀");
  }

  @Test
  void theOrderOfRandomKeysIsThatOfTheirBytes() {
    Seed seed = Seed.of("theOrderOfRandomKeysIsThatOfTheirBytes");
    RandomGenerator random = seed.random();
    for (int i = 0; i < 20_000; i++) {
      String a = randomText(random);
      String b = randomText(random);
      int expected = Arrays.compareUnsigned(utf8(a), utf8(b));
      assertThat(Integer.signum(ObjectKeys.ORDER.compare(a, b)))
          .as("%s: %s and %s", seed, a, b)
          .isEqualTo(Integer.signum(expected));
    }
  }

  private static String randomText(RandomGenerator random) {
    int[] few = {'a', 'b', '/', 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0x10000, 0x1F600, 0x10FFFF};
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(5); length > 0; length--) {
      text.appendCodePoint(few[random.nextInt(few.length)]);
    }
    return text.toString();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void assertInvalid(String key, String problem) {
    assertThatThrownBy(() -> ObjectKeys.check(key))
        .isInstanceOfSatisfying(
            InvalidKeyException.class, e -> assertThat(e.code()).isEqualTo("invalid-key"))
        .hasMessageContaining(problem);
  }
}
