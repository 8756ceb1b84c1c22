// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Codec of texts and values between this process and those that run statements. Numbers keep their
 * kind, and texts all their characters, half of a surrogate pair too.
 */
final class PipeValueCodec {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private PipeValueCodec() {}

  static void text(DataOutputStream out, String text) throws IOException {
    boolean whole = !hasSurrogate(text);
    byte[] bytes = text.getBytes(whole ? StandardCharsets.UTF_8 : StandardCharsets.UTF_16BE);
    out.writeBoolean(whole);
    bytes(out, bytes);
  }

  private static boolean hasSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  static String text(DataInputStream in) throws IOException {
    boolean whole = in.readBoolean();
    byte[] bytes = bytes(in);
    if (whole) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
    char[] chars = new char[bytes.length / 2];
    for (int i = 0; i < chars.length; i++) {
      chars[i] = (char) ((bytes[2 * i] & 0xff) << 8 | (bytes[2 * i + 1] & 0xff));
    }
    return new String(chars);
  }

  static void texts(DataOutputStream out, Collection<String> texts) throws IOException {
    out.writeInt(texts.size());
    for (String text : texts) {
      text(out, text);
    }
  }

  static List<String> texts(DataInputStream in) throws IOException {
    List<String> texts = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      texts.add(text(in));
    }
    return texts;
  }

  static void values(DataOutputStream out, Collection<JsonNode> values) throws IOException {
    out.writeInt(values.size());
    for (JsonNode value : values) {
      value(out, value);
    }
  }

  static List<JsonNode> values(DataInputStream in) throws IOException {
    int size = in.readInt();
    List<JsonNode> values = new ArrayList<>(Math.min(size, 1 << 10));
    for (int i = 0; i < size; i++) {
      values.add(value(in));
    }
    return values;
  }

  private static void value(DataOutputStream out, JsonNode value) throws IOException {
    switch (value.getNodeType()) {
      case BOOLEAN -> out.writeByte(value.booleanValue() ? 't' : 'f');
      case STRING -> {
        out.writeByte('s');
        text(out, value.textValue());
      }
      case NUMBER -> number(out, value);
      case ARRAY -> {
        out.writeByte('a');
        out.writeInt(value.size());
        for (JsonNode item : value) {
          value(out, item);
        }
      }
      case OBJECT -> {
        out.writeByte('o');
        out.writeInt(value.size());
        for (Map.Entry<String, JsonNode> member : value.properties()) {
          text(out, member.getKey());
          value(out, member.getValue());
        }
      }
      default -> out.writeByte('n');
    }
  }

  private static void number(DataOutputStream out, JsonNode value) throws IOException {
    if (value.isInt() || value.isLong()) {
      out.writeByte(value.isInt() ? 'i' : 'l');
      out.writeLong(value.longValue());
    } else if (value.isBigInteger()) {
      out.writeByte('b');
      bytes(out, value.bigIntegerValue().toByteArray());
    } else if (value.isBigDecimal()) {
      BigDecimal decimal = value.decimalValue();
      out.writeByte('e');
      out.writeInt(decimal.scale());
      bytes(out, decimal.unscaledValue().toByteArray());
    } else {
      out.writeByte('d');
      out.writeDouble(value.doubleValue());
    }
  }

  private static JsonNode value(DataInputStream in) throws IOException {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case 'n' -> JSON.nullNode();
      case 't' -> JSON.booleanNode(true);
      case 'f' -> JSON.booleanNode(false);
      case 's' -> JSON.textNode(text(in));
      case 'i' -> JSON.numberNode((int) in.readLong());
      case 'l' -> JSON.numberNode(in.readLong());
      case 'b' -> JSON.numberNode(new BigInteger(bytes(in)));
      case 'e' -> {
        int scale = in.readInt();
        yield JSON.numberNode(new BigDecimal(new BigInteger(bytes(in)), scale));
      }
      case 'd' -> JSON.numberNode(in.readDouble());
      case 'a' -> array(in);
      case 'o' -> object(in);
      default -> throw new IOException("a value of kind " + kind + " isn't known");
    };
  }

  private static JsonNode array(DataInputStream in) throws IOException {
    ArrayNode array = JSON.arrayNode();
    for (int left = in.readInt(); left > 0; left--) {
      array.add(value(in));
    }
    return array;
  }

  private static JsonNode object(DataInputStream in) throws IOException {
    ObjectNode object = JSON.objectNode();
    for (int left = in.readInt(); left > 0; left--) {
      object.set(text(in), value(in));
    }
    return object;
  }

  private static void bytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static byte[] bytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new IOException("a message is cut off");
    }
    return bytes;
  }
}
