// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.math.BigDecimal;

/** Decimal numbers as JSON may hold them, with exponents up to the limit of {@link BigDecimal}. */
public final class Decimals {

  private Decimals() {}

  /**
   * Returns the number without zeros at its end, the same for all spellings of one value. Unlike
   * {@link BigDecimal#stripTrailingZeros} it doesn't fail for {@code 100e2147483647}: zeros that
   * the exponent has no room for stay.
   */
  public static BigDecimal stripped(BigDecimal number) {
    try {
      return number.stripTrailingZeros();
    } catch (ArithmeticException e) {
      return number.setScale(Integer.MIN_VALUE);
    }
  }
}
