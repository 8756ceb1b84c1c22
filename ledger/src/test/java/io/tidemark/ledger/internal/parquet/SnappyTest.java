// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.testkit.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The block format; that others understand it is in the tests with DuckDB. */
class SnappyTest {

  @Test
  void anyBytesComeBack() {
    Seed seed = Seed.of("SnappyTest.anyBytesComeBack");
    RandomGenerator random = seed.random();
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = sample(random);
      byte[] compressed = Snappy.compress(bytes);

      assertThat(Snappy.decompress(compressed, 0, compressed.length, bytes.length))
          .as("%s, sample %s", seed, i)
          .isEqualTo(bytes);
    }
  }

  @Test
  void repetitionIsSaved() {
    byte[] bytes =
        "{\"active\":true,\"tier\":\"Gold\"}".repeat(10_000).getBytes(StandardCharsets.UTF_8);

    assertThat(Snappy.compress(bytes).length).isLessThan(bytes.length / 15);
  }

  @Test
  void noiseGrowsOnlyALittle() {
    byte[] bytes = new byte[1 << 20];
    Seed.of("SnappyTest.noiseGrowsOnlyALittle").random().nextBytes(bytes);

    assertThat(Snappy.compress(bytes).length).isLessThan(bytes.length + bytes.length / 100);
  }

  @Test
  void everyKindOfElementIsRead() {
    // "ab" as a literal, 9 from 2 back, a literal with its length in a byte, 64 from 11 back
    String literal = "x".repeat(61);
    byte[] bytes =
        HexFormat.of()
            .parseHex(
                "88010461621502f03c"
                    + HexFormat.of().formatHex(literal.getBytes(StandardCharsets.US_ASCII))
                    + "fe0100");

    assertThat(
            new String(Snappy.decompress(bytes, 0, bytes.length, 136), StandardCharsets.US_ASCII))
        .isEqualTo("abababababa" + literal + "x".repeat(64));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // nothing
        "80", // a length that goes on
        "ffffffffff7f", // a length beyond all bounds
        "05", // shorter than it says
        "050461", // a literal that is cut off
        "05086162630000", // a literal of nothing behind it
        "0504616211", // a copy that is cut off
        "05046162f203", // a copy from before the start
        "0504616206000000", // a copy from nowhere
        "0104616205", // longer than it says
        "05fcffffffff61" // a literal of 4 gigabytes
      })
  void whatIsntSnappyIsCorrupt(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);

    assertThatThrownBy(() -> Snappy.decompress(bytes, 0, bytes.length, 5))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("Snappy");
  }

  /** Runs of noise, of one byte, and of what came before, up to some blocks long. */
  private static byte[] sample(RandomGenerator random) {
    byte[] bytes = new byte[random.nextInt(1 << random.nextInt(1, 19))];
    int at = 0;
    while (at < bytes.length) {
      int end = Math.min(bytes.length, at + 1 + random.nextInt(1 << random.nextInt(1, 12)));
      int kind = random.nextInt(3);
      if (kind == 0) {
        byte[] noise = new byte[end - at];
        random.nextBytes(noise);
        System.arraycopy(noise, 0, bytes, at, noise.length);
      } else if (kind == 1 || at == 0) {
        Arrays.fill(bytes, at, end, (byte) random.nextInt(4));
      } else {
        int distance = 1 + random.nextInt(at);
        for (int i = at; i < end; i++) {
          bytes[i] = bytes[i - distance];
        }
      }
      at = end;
    }
    return bytes;
  }
}
