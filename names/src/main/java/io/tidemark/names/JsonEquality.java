// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.objects.internal.hash.Sha256;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** JSON compared by what it says: a number by its value, however it is written. */
final class JsonEquality {

  /** With more digits than this no number fits into a long. */
  private static final int LONG_DIGITS = 19;

  private static final int DIGEST_BYTES = 16;

  /** Returns zero for two scalars of equal value. The order of unequal scalars has no meaning. */
  static final Comparator<JsonNode> BY_VALUE =
      (one, other) -> {
        if (!one.isNumber() || !other.isNumber()) {
          return one.equals(other) ? 0 : 1;
        }
        return isLong(one) && isLong(other)
            ? Long.compare(one.longValue(), other.longValue())
            : one.decimalValue().compareTo(other.decimalValue());
      };

  private JsonEquality() {}

  /** Returns a hash that is equal for all nodes that {@link #BY_VALUE} finds equal. */
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

  /**
   * Returns the first 128 bits of a SHA-256 in hexadecimal, the same for all that {@link #BY_VALUE}
   * finds equal.
   */
  static String digest(JsonNode node) {
    Sha256 sha = new Sha256();
    feed(node, sha);
    return HexFormat.of().formatHex(sha.bytes(), 0, DIGEST_BYTES);
  }

  /** Each part with its kind and its length, so that no two trees feed the same bytes. */
  private static void feed(JsonNode node, Sha256 sha) {
    if (node.isObject()) {
      feed('{', Integer.toString(node.size()), sha);
      SortedMap<String, JsonNode> sorted = new TreeMap<>();
      node.properties().forEach(field -> sorted.put(field.getKey(), field.getValue()));
      sorted.forEach(
          (name, value) -> {
            feed('k', name, sha);
            feed(value, sha);
          });
    } else if (node.isArray()) {
      feed('[', Integer.toString(node.size()), sha);
      node.forEach(each -> feed(each, sha));
    } else if (node.isNumber()) {
      BigDecimal plain = node.decimalValue().stripTrailingZeros();
      feed('n', plain.unscaledValue() + "e" + plain.scale(), sha);
    } else {
      feed(node.isTextual() ? 's' : 'w', node.asText(), sha);
    }
  }

  private static void feed(char kind, String text, Sha256 sha) {
    // As UTF-16, since a text may hold half of a surrogate pair.
    ByteBuffer bytes = ByteBuffer.allocate(2 + Integer.BYTES + 2 * text.length());
    bytes.putChar(kind).putInt(text.length());
    text.chars().forEach(c -> bytes.putChar((char) c));
    sha.update(bytes.flip());
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
