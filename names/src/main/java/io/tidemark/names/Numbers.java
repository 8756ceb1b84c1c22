// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.Map;

/** JSON compared by what it says: a number by its value, however it is written. */
final class Numbers {

  /** With more digits than this no number fits into a long. */
  private static final int LONG_DIGITS = 19;

  /** Zero for two scalars that say the same; how others are ordered means nothing. */
  static final Comparator<JsonNode> BY_VALUE =
      (one, other) -> {
        if (!one.isNumber() || !other.isNumber()) {
          return one.equals(other) ? 0 : 1;
        }
        return isLong(one) && isLong(other)
            ? Long.compare(one.longValue(), other.longValue())
            : one.decimalValue().compareTo(other.decimalValue());
      };

  private Numbers() {}

  /** The same for all that {@link #BY_VALUE} finds equal. */
  static int hash(JsonNode node) {
    if (node.isNumber()) {
      return isLong(node) ? Long.hashCode(node.longValue()) : hash(node.decimalValue());
    }
    if (node.isObject()) {
      int hash = 0;
      for (Map.Entry<String, JsonNode> field : node.properties()) {
        hash += field.getKey().hashCode() ^ hash(field.getValue());
      }
      return hash;
    }
    if (node.isArray()) {
      int hash = 1;
      for (JsonNode each : node) {
        hash = 31 * hash + hash(each);
      }
      return hash;
    }
    return node.hashCode();
  }

  private static boolean isLong(JsonNode number) {
    return number.isIntegralNumber() && number.canConvertToLong();
  }

  private static int hash(BigDecimal number) {
    BigDecimal plain = number.stripTrailingZeros();
    if (plain.scale() <= 0 && (long) plain.precision() - plain.scale() <= LONG_DIGITS) {
      BigInteger whole = plain.toBigIntegerExact();
      if (whole.bitLength() < Long.SIZE) {
        return Long.hashCode(whole.longValue());
      }
    }
    return plain.hashCode();
  }
}
