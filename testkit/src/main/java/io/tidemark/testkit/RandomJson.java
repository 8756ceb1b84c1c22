// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;

/** Generator of random JSON values, of the many ways to write one, and a comparison by value. */
public final class RandomJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String[] TEXTS = {
    "",
    "a",
    "A",
    "a!",
    "ab",
    "1",
    "1.0",
    "-0",
    "true",
    "\"",
    "\\",
    "/",
    "\n",
    "\u007f",
    "\u00e9",
    "\u2028",
    "\uffff",
    "\ud83d\ude00",
    "{\"a\":1.0}",
    "x y"
  };

  private RandomJson() {}

  /** Returns a random value whose arrays and objects are nested at most this deep. */
  public static JsonNode value(RandomGenerator random, int depth) {
    return switch (random.nextInt(depth == 0 ? 4 : 7)) {
      case 0 -> NODES.textNode(text(random));
      case 1 -> number(random);
      case 2 -> NODES.booleanNode(random.nextBoolean());
      case 3 -> NODES.nullNode();
      case 4 -> {
        ArrayNode array = NODES.arrayNode();
        for (int i = random.nextInt(4); i > 0; i--) {
          array.add(value(random, depth - 1));
        }
        yield array;
      }
      default -> {
        ObjectNode object = NODES.objectNode();
        for (int i = random.nextInt(5); i > 0; i--) {
          object.set(text(random), value(random, depth - 1));
        }
        yield object;
      }
    };
  }

  private static String text(RandomGenerator random) {
    String text = TEXTS[random.nextInt(TEXTS.length)];
    return random.nextInt(4) == 0 ? text + TEXTS[random.nextInt(TEXTS.length)] : text;
  }

  private static JsonNode number(RandomGenerator random) {
    return switch (random.nextInt(5)) {
      case 0 -> NODES.numberNode(random.nextInt(-2, 3));
      case 1 -> NODES.numberNode((double) random.nextInt(-2, 3));
      case 2 -> NODES.numberNode(random.nextLong());
      case 3 -> NODES.numberNode(random.nextInt(-20, 20) / 10.0);
      default ->
          NODES.numberNode(BigDecimal.valueOf(random.nextInt(-9, 9), random.nextInt(-30, 30)));
    };
  }

  /** Returns the value with a random part of it replaced, sometimes by an equal one. */
  public static JsonNode changed(JsonNode value, RandomGenerator random) {
    if (value.size() == 0 || random.nextInt(4) == 0) {
      return value(random, 1);
    }
    JsonNode copy = value.deepCopy();
    int at = random.nextInt(value.size());
    if (copy instanceof ArrayNode array) {
      array.set(at, changed(array.get(at), random));
    } else if (copy instanceof ObjectNode object) {
      String name = new ArrayList<>(object.properties()).get(at).getKey();
      object.set(name, changed(object.path(name), random));
    }
    return copy;
  }

  /** Returns the text of the value, written in a random way. */
  public static String text(JsonNode value, RandomGenerator random) {
    String space = random.nextInt(3) == 0 ? " " : "";
    List<String> parts = new ArrayList<>();
    if (value.isObject()) {
      for (Map.Entry<String, JsonNode> field : value.properties()) {
        parts.add(quoted(field.getKey(), random) + space + ":" + text(field.getValue(), random));
      }
      Collections.shuffle(parts, new Random(random.nextLong()));
      return "{" + space + String.join("," + space, parts) + "}";
    }
    if (value.isArray()) {
      value.forEach(item -> parts.add(text(item, random)));
      return "[" + String.join(space + ",", parts) + space + "]";
    }
    if (value.isTextual()) {
      return quoted(value.textValue(), random);
    }
    return value.isNumber() ? number(value.decimalValue(), random) : value.toString();
  }

  private static String number(BigDecimal value, RandomGenerator random) {
    BigDecimal number =
        random.nextBoolean() ? value : value.setScale(Math.max(1, value.scale() + 2));
    return switch (random.nextInt(3)) {
      case 0 -> number.toPlainString();
      case 1 -> number.unscaledValue() + (random.nextBoolean() ? "e" : "E") + -number.scale();
      default -> number.toString();
    };
  }

  private static String quoted(String text, RandomGenerator random) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '/' && random.nextBoolean()) {
        out.append("\\/");
      } else if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || random.nextInt(5) == 0) {
        out.append(String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }

  /** Tells whether two values are equal: numbers by value, members of objects in any order. */
  public static boolean sameValue(JsonNode one, JsonNode other) {
    if (one.getNodeType() != other.getNodeType() || one.size() != other.size()) {
      return false;
    }
    if (one.isNumber()) {
      return one.decimalValue().compareTo(other.decimalValue()) == 0;
    }
    if (one.isObject()) {
      return one.properties().stream()
          .allMatch(
              field ->
                  other.has(field.getKey())
                      && sameValue(field.getValue(), other.path(field.getKey())));
    }
    for (int i = 0; i < one.size(); i++) {
      if (!sameValue(one.path(i), other.path(i))) {
        return false;
      }
    }
    return one.isArray() || one.equals(other);
  }
}
