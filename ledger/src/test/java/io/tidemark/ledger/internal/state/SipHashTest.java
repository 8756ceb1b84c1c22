// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SipHashTest {

  private static final SipHash HASH = new SipHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L, 2, 4);

  /** As OpenSSL has them: of the bytes 0, 1, 2 and so on, by the key 0 to 15. */
  @ParameterizedTest
  @CsvSource({
    "0, a3817f04ba25a8e66df67214c7550293",
    "1, da87c1d86b99af44347659119b22fc45",
    "2, 8177228da4a45dc7fca38bdef60affe4",
    "8, 3b62a9ba6258f5610f83e264f31497b4",
    "15, 5493e99933b0a8117e08ec0f97cfc3d9"
  })
  void hashesAreThoseOfOtherImplementations(int length, String hash) {
    Digest found = HASH.of(counting(), 0, length);

    assertThat("%016x%016x".formatted(Long.reverseBytes(found.high()), reversedLow(found)))
        .isEqualTo(hash);
  }

  private static long reversedLow(Digest digest) {
    return Long.reverseBytes(digest.low());
  }

  @Test
  void everyByteOfARangeCountsAndNoneBesideIt() {
    byte[] bytes = counting();
    Set<Digest> seen = new HashSet<>();
    for (int length = 0; length <= 40; length++) {
      assertThat(seen.add(HASH.of(bytes, 5, 5 + length))).isTrue();
      for (int i = 0; i < length; i++) {
        byte[] other = bytes.clone();
        other[5 + i] ^= 64;
        assertThat(seen.add(HASH.of(other, 5, 5 + length))).isTrue();
      }
      byte[] beside = bytes.clone();
      beside[4] ^= 1;
      beside[5 + length] ^= 1;
      assertThat(HASH.of(beside, 5, 5 + length)).isEqualTo(HASH.of(bytes, 5, 5 + length));
    }
  }

  private static byte[] counting() {
    byte[] bytes = new byte[64];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }
}
