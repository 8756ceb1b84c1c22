// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.json;

import com.fasterxml.jackson.core.io.schubfach.DoubleToDecimal;
import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Format of doubles as Python's {@code repr} writes them, since stored JSON has had that form from
 * its beginnings: the fewest digits that tell the value, always with a point or an exponent.
 */
final class PythonDouble {

  /** Below this a double has so few bits that one digit may tell it. */
  private static final double FEW_BITS = 1e-321;

  private PythonDouble() {}

  /** Unit in which numbers with few digits are counted. */
  static final int FRACTION = 10_000;

  /** From here on no exponent is needed. */
  private static final double NOT_TINY = 1.0 / FRACTION;

  /** Up to here, whole numbers of ten thousandths have at most 15 digits. */
  private static final double FEW_DIGITS = 1e11;

  /** Appends a number, at once if it has few digits. */
  static void append(double value, StringBuilder out) {
    long scaled = tenThousandths(value);
    if (scaled < 0) {
      out.append(format(value));
      return;
    }
    out.append(scaled / FRACTION).append('.');
    int rest = (int) (scaled % FRACTION);
    int unit = FRACTION / 10;
    do {
      out.append((char) ('0' + rest / unit));
      rest %= unit;
      unit /= 10;
    } while (rest > 0);
  }

  /**
   * Returns the number in ten thousandths if it is so many; negative if not, or if it isn't
   * positive.
   */
  static long tenThousandths(double value) {
    if (value >= NOT_TINY && value < FEW_DIGITS) {
      // Of numbers with at most 15 digits, no two are the same double: if one of them is this
      // double, it is the shortest.
      long scaled = Math.round(value * FRACTION);
      if (scaled / (double) FRACTION == value) {
        return scaled;
      }
    }
    return -1;
  }

  static String format(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(value + " is no JSON number");
    }
    if (value == 0) {
      return 1 / value < 0 ? "-0.0" : "0.0";
    }
    // Not Double.toString, which before Java 19 has digits too many at times.
    BigDecimal shortest = new BigDecimal(DoubleToDecimal.toString(value)).stripTrailingZeros();
    if (Math.abs(value) < FEW_BITS) {
      shortest = oneDigit(shortest, value);
    }
    int exponent = shortest.precision() - shortest.scale() - 1;
    return exponent < -4 || exponent >= 16 ? scientific(shortest, exponent) : plain(shortest);
  }

  /** Java writes two digits at least, the nearest two, even where one would do: 4.9e-324. */
  private static BigDecimal oneDigit(BigDecimal shortest, double value) {
    BigDecimal rounded = shortest.round(new MathContext(1));
    return rounded.doubleValue() == value ? rounded : shortest;
  }

  private static String plain(BigDecimal value) {
    String text = value.toPlainString();
    return text.indexOf('.') < 0 ? text + ".0" : text;
  }

  private static String scientific(BigDecimal value, int exponent) {
    String digits = value.unscaledValue().abs().toString();
    String sign = value.signum() < 0 ? "-" : "";
    String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
    String power = (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    return sign + digits.charAt(0) + fraction + "e" + (exponent < 0 ? "-" : "+") + power;
  }
}
