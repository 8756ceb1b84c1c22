// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.json;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.DoubleNode;
import io.tidemark.testkit.Seed;
import java.io.IOException;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is put together as bytes is what a tree of the same values is written as. */
class CanonicalJsonBufferTest {

  private final CanonicalJsonBuffer bytes = new CanonicalJsonBuffer();

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        1,
        -1,
        9,
        10,
        99,
        100,
        -100,
        999_999_999_999_999_999L,
        1_000_000_000_000_000_000L
      })
  void wholeNumbersHaveAllTheirDigits(long value) {
    bytes.addLong(value);

    assertThat(bytes).hasToString(Long.toString(value));
  }

  @Test
  void soHaveTheFirstAndTheLast() {
    bytes.addLong(Long.MIN_VALUE);
    bytes.addLong(Long.MAX_VALUE);

    assertThat(bytes).hasToString("-92233720368547758089223372036854775807");
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        0,
        -0.0,
        1,
        -1,
        0.5,
        -0.25,
        0.0001,
        0.00001,
        -0.0305,
        1e11,
        99999999999.9999,
        1e16
      })
  void numbersAreThoseOfTheTree(double value) throws IOException {
    assertAlike(value);
  }

  @Test
  void anyNumbersAreThoseOfTheTree() throws IOException {
    Seed seed = Seed.of("anyNumbersAreThoseOfTheTree");
    RandomGenerator random = seed.random();
    for (int i = 0; i < 20_000; i++) {
      double few = random.nextInt(-10_000_000, 10_000_000) / Math.pow(10, random.nextInt(8));
      double any = Double.longBitsToDouble(random.nextLong());
      assertAlike(random.nextInt(4) > 0 || !Double.isFinite(any) ? few : any);
    }
  }

  private void assertAlike(double value) throws IOException {
    bytes.clear();
    bytes.add("[".getBytes(US_ASCII));
    bytes.addDouble(value);
    bytes.add(",".getBytes(US_ASCII));
    assertThat(bytes.addString("1.0")).isTrue();
    bytes.add(",".getBytes(US_ASCII));
    bytes.addDouble(value);
    bytes.add("]".getBytes(US_ASCII));

    String number = CanonicalJson.write(DoubleNode.valueOf(value));
    String json = "[" + number + ",\"1.0\"," + number + "]";
    assertThat(bytes).hasToString(json);
    NormalizedJsonBuffer form = new NormalizedJsonBuffer();
    form.read(bytes);
    assertThat(new String(form.array(), 0, form.length(), US_ASCII))
        .isEqualTo(NormalizedJson.of(json));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"", "plain but \\", "\n", "\u007f", "\u00e9", "\u0141 beyond a byte"})
  void aTextWithEscapesIsLeftToOthers(String text) {
    bytes.addNull();

    assertThat(bytes.addString(text)).isFalse();
    assertThat(bytes).hasToString("null");
  }
}
