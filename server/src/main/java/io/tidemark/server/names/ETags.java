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
 * Tags of states, for {@code ETag}, {@code If-Match} and {@code If-None-Match}. Equal states have
 * equal tags, regardless of the order of members and the notation of numbers. A tag is computed
 * from the state as the caller sees it, so it reveals nothing of what is hidden.
 */
final class ETags {

  private static final int BYTES = 16;

  private static final Pattern VERSION = Pattern.compile("[!-~]+");

  /** Version that no state has. */
  private static final String FOREIGN = "-";

  /** Matches any existing state. */
  static final String ANY = "*";

  private ETags() {}

  static String of(JsonNode shown) {
    Sha256 digest = new Sha256();
    add(shown, digest);
    return quoted(Arrays.copyOf(digest.bytes(), BYTES));
  }

  /** Returns a tag that contains a text, which {@link #text} decodes. */
  static String ofText(String text) {
    return quoted(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Returns the text in a tag of {@link #ofText}; for any other tag, a text that no such tag
   * contains.
   */
  static String text(String tag) {
    try {
      String text =
          new String(Base64.getUrlDecoder().decode(tag.replace("\"", "")), StandardCharsets.UTF_8);
      // Versions of stores consist of these characters only, and are never empty.
      return VERSION.matcher(text).matches() ? text : FOREIGN;
    } catch (IllegalArgumentException e) {
      return FOREIGN;
    }
  }

  /** Returns whether a header lists a tag or matches any state. */
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
      digest.update((byte) '#'); // so that 1 and "1" differ
    }
  }

  private static String number(JsonNode node) {
    return node.isIntegralNumber() && node.canConvertToLong()
        ? Long.toString(node.longValue())
        : plain(node);
  }

  /** Returns a notation whose length doesn't grow with the exponent. */
  private static String plain(JsonNode node) {
    var stripped = node.decimalValue().stripTrailingZeros();
    boolean small = stripped.scale() <= 0 && stripped.precision() - (long) stripped.scale() <= 19;
    return small ? stripped.toPlainString() : stripped.unscaledValue() + "e" + -stripped.scale();
  }

  /** Adds a text with its length, so that different sequences of texts have different digests. */
  private static void add(String text, Sha256 digest) {
    byte[] bytes = bytes(text);
    digest.update((byte) (bytes.length >> 24));
    digest.update((byte) (bytes.length >> 16));
    digest.update((byte) (bytes.length >> 8));
    digest.update((byte) bytes.length);
    digest.update(bytes);
  }

  /**
   * Returns bytes that are distinct for all texts. Texts of older programs may contain halves of
   * surrogate pairs, which all encoders replace alike.
   */
  private static byte[] bytes(String text) {
    if (UnicodeText.isWellFormed(text)) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    ByteBuffer chars = ByteBuffer.allocate(1 + 2 * text.length());
    chars.put((byte) 0xff).asCharBuffer().put(text);
    return chars.array();
  }
}
