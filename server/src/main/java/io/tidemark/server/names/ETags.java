// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.UnicodeText;
import io.tidemark.objects.internal.hash.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Names for states, to stand in {@code ETag}, {@code If-Match} and {@code If-None-Match}: the same
 * for all that says the same, in whatever order its members are and however its numbers are
 * written. They are of what the caller is shown, so that they tell nothing of what isn't shown.
 */
final class ETags {

  private static final int BYTES = 16;

  private static final Pattern VERSION = Pattern.compile("[!-~]+");

  /** The version of no state. */
  private static final String FOREIGN = "-";

  /** Any state that is there. */
  static final String ANY = "*";

  private ETags() {}

  static String of(JsonNode shown) {
    Sha256 digest = new Sha256();
    add(shown, digest);
    return quoted(Arrays.copyOf(digest.bytes(), BYTES));
  }

  /** One that has a text in it, as {@link #text} gets it back. */
  static String ofText(String text) {
    return quoted(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The text in a tag of {@link #ofText}; for any other tag, a text that stands in none. */
  static String text(String tag) {
    try {
      String text =
          new String(Base64.getUrlDecoder().decode(tag.replace("\"", "")), StandardCharsets.UTF_8);
      // Stores take no other characters in their versions, and no version is empty.
      return VERSION.matcher(text).matches() ? text : FOREIGN;
    } catch (IllegalArgumentException e) {
      return FOREIGN;
    }
  }

  /** Returns whether a header names a state. */
  static boolean matches(String header, String tag) {
    if (header.equals(tag) || header.equals(ANY)) {
      return true;
    }
    return Arrays.stream(header.split(",")).anyMatch(each -> each.strip().equals(tag));
  }

  private static String quoted(byte[] bytes) {
    return '"' + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + '"';
  }

  private static void add(JsonNode node, Sha256 digest) {
    if (node.isObject()) {
      digest.update((byte) '{');
      Map<String, JsonNode> sorted = new TreeMap<>();
      node.properties().forEach(member -> sorted.put(member.getKey(), member.getValue()));
      sorted.forEach(
          (name, value) -> {
            add(name, digest);
            add(value, digest);
          });
      digest.update((byte) '}');
    } else if (node.isArray()) {
      digest.update((byte) '[');
      node.forEach(each -> add(each, digest));
      digest.update((byte) ']');
    } else if (node.isTextual()) {
      add(node.textValue(), digest);
    } else {
      add(node.isNumber() ? number(node) : node.asText(), digest);
      digest.update((byte) '#'); // so that 1 isn't "1"
    }
  }

  private static String number(JsonNode node) {
    return node.isIntegralNumber() && node.canConvertToLong()
        ? Long.toString(node.longValue())
        : plain(node);
  }

  /** In a form that doesn't grow with the exponent. */
  private static String plain(JsonNode node) {
    var stripped = node.decimalValue().stripTrailingZeros();
    boolean small = stripped.scale() <= 0 && stripped.precision() - (long) stripped.scale() <= 19;
    return small ? stripped.toPlainString() : stripped.unscaledValue() + "e" + -stripped.scale();
  }

  /** With its length, so that no two sequences of texts are the same. */
  private static void add(String text, Sha256 digest) {
    byte[] bytes = bytes(text);
    digest.update((byte) (bytes.length >> 24));
    digest.update((byte) (bytes.length >> 16));
    digest.update((byte) (bytes.length >> 8));
    digest.update((byte) bytes.length);
    digest.update(bytes);
  }

  /** No encoder tells halves of surrogate pairs apart, which are in what older programs stored. */
  private static byte[] bytes(String text) {
    if (UnicodeText.isWellFormed(text)) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    ByteBuffer chars = ByteBuffer.allocate(1 + 2 * text.length());
    chars.put((byte) 0xff).asCharBuffer().put(text);
    return chars.array();
  }
}
