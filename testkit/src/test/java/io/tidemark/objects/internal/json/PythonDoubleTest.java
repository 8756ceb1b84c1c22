// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.testkit.Seed;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PythonDoubleTest {

  /** Each as Python's {@code repr} prints it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0",
        "9.5",
        "0.1",
        "0.30000000000000004",
        "1e+16",
        "9999999999999998.0",
        "1000000000000000.0",
        "1.2345678901234568e+17",
        "1e-05",
        "1.5e-07",
        "0.0001",
        "0.00012345",
        "1e+22",
        "2e-323",
        "5e-324",
        "2.2250738585072014e-308",
        "1.7976931348623157e+308",
        "-1.7976931348623157e+308",
        "-1e-10",
        "-123.456",
        "0.0",
        "-0.0",
        "1e-323",
        "1.5e-323",
        "2e+16",
        // Double.toString of Java 17 has more digits than this needs.
        "2e+23"
      })
  void aDoubleHasTheDigitsOfPythonsRepr(String repr) {
    assertThat(PythonDouble.format(Double.parseDouble(repr))).isEqualTo(repr);
  }

  @Test
  void everyDoubleIsReadBackAsItself() {
    Seed seed = Seed.of("everyDoubleIsReadBackAsItself");
    RandomGenerator random = seed.random();
    for (int i = 0; i < 20_000; i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(value)) {
        String text = PythonDouble.format(value);
        assertThat(Double.parseDouble(text)).as("%s of %s", text, seed).isEqualTo(value);
        assertThat(text).containsPattern("[.e]");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void whatIsNoNumberIsRefused(double value) {
    assertThatThrownBy(() -> PythonDouble.format(value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no JSON number");
  }
}
