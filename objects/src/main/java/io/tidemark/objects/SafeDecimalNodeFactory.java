// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Factory of JSON nodes that refuses decimals which no parser would read back. Java reads {@code
 * 100e2147483647} but writes it as {@code 1.00E+2147483649}, whose exponent is out of range; a
 * document that was written anew would be damaged.
 */
public final class SafeDecimalNodeFactory extends JsonNodeFactory {
  private static final long serialVersionUID = 1L;

  /**
   * Makes a node of a number.
   *
   * @throws NumberFormatException if the exponent is out of range, as for other such numbers
   */
  @Override
  public ValueNode numberNode(@Nullable BigDecimal number) {
    if (number != null
        && number.signum() != 0
        && (long) number.precision() - number.scale() - 1 > Integer.MAX_VALUE) {
      throw new NumberFormatException(number + " has an exponent above " + Integer.MAX_VALUE);
    }
    return super.numberNode(number);
  }
}
