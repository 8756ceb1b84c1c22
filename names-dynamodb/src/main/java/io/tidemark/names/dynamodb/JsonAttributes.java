// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * JSON as attributes and back.
 *
 * <p>A number of DynamoDB has 38 digits, no exponent beyond about 125 and no memory of how it was
 * written: 1.0 comes back as 1. Nor can maps be nested deeper than 32 levels. {@link #isLossless}
 * says whether JSON comes back the same; what doesn't is shown in the map as well as it can be, for
 * people and other programs, and kept as text beside it.
 */
final class JsonAttributes {

  private static final int DIGITS = 38;
  private static final int LONGEST_FRACTION = 80;
  private static final int DEEPEST = 28; // the item itself and the payload are levels too

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private JsonAttributes() {}

  /** Returns whether JSON comes back from attributes as it went in. */
  static boolean isLossless(JsonNode node) {
    return isLossless(node, 0);
  }

  private static boolean isLossless(JsonNode node, int depth) {
    if (node.isInt()) { // as most numbers are
      return true;
    }
    if (node.isNumber()) {
      return fits(node) && number(digits(node)).equals(node);
    }
    if (node.isContainerNode() && depth >= DEEPEST) {
      return false;
    }
    for (JsonNode child : node) {
      if (!isLossless(child, depth + 1)) {
        return false;
      }
    }
    return !node.has("");
  }

  /** Returns JSON as an attribute; values that attributes can't carry are put into text. */
  static AttributeValue toAttribute(JsonNode node) {
    return toAttribute(node, 0);
  }

  private static AttributeValue toAttribute(JsonNode node, int depth) {
    return switch (node.getNodeType()) {
      case OBJECT -> depth >= DEEPEST ? text(node) : map(node, depth);
      case ARRAY -> depth >= DEEPEST ? text(node) : list(node, depth);
      case STRING -> AttributeValue.fromS(node.textValue());
      case NUMBER -> fits(node) ? AttributeValue.fromN(digits(node)) : text(node);
      case BOOLEAN -> AttributeValue.fromBool(node.booleanValue());
      default -> AttributeValue.fromNul(true);
    };
  }

  private static AttributeValue text(JsonNode node) {
    return AttributeValue.fromS(node.toString());
  }

  private static AttributeValue map(JsonNode node, int depth) {
    Map<String, AttributeValue> map = new LinkedHashMap<>();
    node.properties()
        .forEach(
            field -> {
              if (!field.getKey().isEmpty()) { // which no attribute may be called
                map.put(field.getKey(), toAttribute(field.getValue(), depth + 1));
              }
            });
    return AttributeValue.fromM(map);
  }

  private static AttributeValue list(JsonNode node, int depth) {
    List<AttributeValue> list = new ArrayList<>();
    node.forEach(child -> list.add(toAttribute(child, depth + 1)));
    return AttributeValue.fromL(list);
  }

  /** Returns whether the value of a number, if not its spelling, is one of DynamoDB's. */
  private static boolean fits(JsonNode number) {
    if (number.isInt()) {
      return true;
    }
    BigDecimal value = number.decimalValue().stripTrailingZeros();
    return value.precision() <= DIGITS
        && value.scale() <= LONGEST_FRACTION
        && value.scale() >= -LONGEST_FRACTION;
  }

  private static String digits(JsonNode number) {
    return number.isInt()
        ? number.asText()
        : number.decimalValue().stripTrailingZeros().toPlainString();
  }

  /**
   * As JSON, the keys of maps in order, since DynamoDB gives them in none.
   *
   * @throws IllegalArgumentException when it is of a type that JSON lacks
   */
  static JsonNode toJson(AttributeValue attribute) {
    return switch (attribute.type()) {
      case S -> JSON.textNode(attribute.s());
      case N -> number(attribute.n());
      case BOOL -> JSON.booleanNode(attribute.bool());
      case NUL -> JSON.nullNode();
      case M -> object(attribute.m());
      case L -> array(attribute.l());
      default ->
          throw new IllegalArgumentException("it has the type " + attribute.type() + " in it");
    };
  }

  private static ObjectNode object(Map<String, AttributeValue> map) {
    ObjectNode object = JSON.objectNode();
    new TreeMap<>(map).forEach((key, value) -> object.set(key, toJson(value)));
    return object;
  }

  private static ArrayNode array(List<AttributeValue> list) {
    ArrayNode array = JSON.arrayNode();
    list.forEach(value -> array.add(toJson(value)));
    return array;
  }

  /** Whole numbers are whole, however the server wrote them; the rest has no zeros at its end. */
  private static JsonNode number(String digits) {
    BigDecimal value = new BigDecimal(digits).stripTrailingZeros();
    return value.scale() <= 0 ? whole(value.toBigIntegerExact()) : JSON.numberNode(value);
  }

  private static JsonNode whole(BigInteger value) {
    if (value.bitLength() < Integer.SIZE) {
      return JSON.numberNode(value.intValueExact());
    }
    return value.bitLength() < Long.SIZE
        ? JSON.numberNode(value.longValueExact())
        : JSON.numberNode(value);
  }
}
