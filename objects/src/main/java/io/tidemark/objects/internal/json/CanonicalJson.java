// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.objects.JsonErrors;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * JSON in the one form that everything stored here has: keys in the order of their code points, no
 * spaces, everything beyond ASCII escaped, doubles as {@link PythonDouble} writes them. Equal
 * values of equal types so are equal bytes, and their hashes can be compared.
 */
public final class CanonicalJson {

  /** Keys by code point; a surrogate pair is behind all of the basic plane, unlike in UTF-16. */
  public static final Comparator<String> ORDER = CanonicalJson::compare;

  private static final int DEEPEST = 200;
  private static final int MOST_ZEROS = 400;
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private static final ExactJsonReader READER =
      new ExactJsonReader(
          StreamReadConstraints.builder()
              .maxNestingDepth(DEEPEST)
              .maxStringLength(Integer.MAX_VALUE)
              .build(),
          JsonNodeFactory.instance);

  private CanonicalJson() {}

  /** Returns an empty object to be filled. */
  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /**
   * Reads JSON, numbers exactly as they are written.
   *
   * @throws IOException when it isn't JSON; the message says what is wrong
   */
  public static JsonNode parse(byte[] bytes) throws IOException {
    try {
      return READER.read(bytes);
    } catch (JsonProcessingException e) {
      throw new IOException(JsonErrors.reason(e), e);
    } catch (NumberFormatException e) { // the parser lets it through
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Parses a text. */
  public static JsonNode parse(String text) throws IOException {
    try {
      return READER.read(text);
    } catch (JsonProcessingException e) {
      throw new IOException(JsonErrors.reason(e), e);
    } catch (NumberFormatException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Returns the canonical text of a value. */
  public static String write(JsonNode node) {
    StringBuilder out = new StringBuilder(128);
    write(node, out);
    return out.toString();
  }

  /** Appends the canonical text of a value. */
  public static void write(JsonNode node, StringBuilder out) {
    switch (node.getNodeType()) {
      case OBJECT -> writeObject(node, out);
      case ARRAY -> {
        out.append('[');
        for (int i = 0; i < node.size(); i++) {
          if (i > 0) {
            out.append(',');
          }
          write(node.get(i), out);
        }
        out.append(']');
      }
      case STRING -> quote(node.textValue(), out);
      case NUMBER -> writeNumber(node, out);
      case BOOLEAN -> out.append(node.booleanValue());
      case NULL -> out.append("null");
      default -> throw new IllegalArgumentException("no JSON: " + node.getNodeType());
    }
  }

  private static void writeObject(JsonNode node, StringBuilder out) {
    List<Map.Entry<String, JsonNode>> fields = new ArrayList<>(node.properties());
    fields.sort(Map.Entry.comparingByKey(ORDER));
    out.append('{');
    for (int i = 0; i < fields.size(); i++) {
      if (i > 0) {
        out.append(',');
      }
      quote(fields.get(i).getKey(), out);
      out.append(':');
      write(fields.get(i).getValue(), out);
    }
    out.append('}');
  }

  private static void writeNumber(JsonNode node, StringBuilder out) {
    if (node.isBigDecimal()) {
      out.append(text(node.decimalValue()));
    } else if (node.isFloatingPointNumber()) {
      PythonDouble.append(node.doubleValue(), out);
    } else {
      out.append(node.asText());
    }
  }

  /** Returns all digits of the number, unless an exponent makes it too long to write out. */
  private static String text(BigDecimal number) {
    return Math.abs((long) number.scale()) <= MOST_ZEROS
        ? number.toPlainString()
        : number.toString();
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    if (isPlain(text)) {
      out.append(text);
    } else {
      escape(text, out);
    }
    out.append('"');
  }

  /**
   * Returns whether a text is the same in quotes, without any escape. Most is, and is copied at
   * once.
   */
  public static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        return false;
      }
    }
    return true;
  }

  private static void escape(String text, StringBuilder out) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        default -> {
          if (c < ' ' || c > '~') {
            escape(c, out);
          } else {
            out.append(c);
          }
        }
      }
    }
  }

  private static void escape(char c, StringBuilder out) {
    out.append("\\u")
        .append(HEX[c >> 12])
        .append(HEX[(c >> 8) & 15])
        .append(HEX[(c >> 4) & 15])
        .append(HEX[c & 15]);
  }

  private static int compare(String one, String other) {
    int length = Math.min(one.length(), other.length());
    for (int i = 0; i < length; i++) {
      char a = one.charAt(i);
      char b = other.charAt(i);
      if (a != b) {
        boolean pairs = Character.isSurrogate(a) != Character.isSurrogate(b);
        return pairs ? (Character.isSurrogate(a) ? 1 : -1) : Character.compare(a, b);
      }
    }
    return Integer.compare(one.length(), other.length());
  }
}
