// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecimalsTest {

  @ParameterizedTest
  @CsvSource({
    "1.50, 15, 1",
    "100, 1, -2",
    "0e5, 0, 0",
    "100e2147483646, 1, -2147483648",
    "100e2147483647, 10, -2147483648",
    "1000e2147483647, 100, -2147483648",
  })
  void zerosAtTheEndGoAsFarAsTheExponentHasRoomForThem(String number, long unscaled, int scale) {
    assertThat(Decimals.stripped(new BigDecimal(number)))
        .isEqualTo(BigDecimal.valueOf(unscaled, scale));
  }
}
