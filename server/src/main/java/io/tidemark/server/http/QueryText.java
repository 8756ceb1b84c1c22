// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/** The query of a URL: parameters that are text, and not too many. */
final class QueryText {

  private QueryText() {}

  /**
   * Reads the parameters.
   *
   * @param query as it came; null when there is none
   * @param most how many there may be
   */
  static Fields parse(@Nullable String query, int most) {
    Fields fields = new Fields();
    if (query == null || query.isEmpty()) {
      return fields;
    }
    int count = 0;
    int start = 0;
    while (start <= query.length()) {
      int and = query.indexOf('&', start);
      int end = and < 0 ? query.length() : and;
      if (end > start) {
        if (++count > most) {
          throw Call.invalid("the query has more than " + most + " parameters; send fewer");
        }
        add(query.substring(start, end), fields);
      }
      start = end + 1;
    }
    return fields;
  }

  private static void add(String pair, Fields fields) {
    int equals = pair.indexOf('=');
    String name = equals < 0 ? pair : pair.substring(0, equals);
    String value = equals < 0 ? "" : pair.substring(equals + 1);
    try {
      fields.add(decoded(name), decoded(value));
    } catch (IllegalArgumentException e) {
      throw Call.invalid("the query isn't text in UTF-8, encoded by '%' and two digits");
    }
  }

  /**
   * What is meant by a text with {@code +} for a space and {@code %} before two digits.
   *
   * @throws IllegalArgumentException when it isn't UTF-8, or a '%' has no digits behind it. The
   *     decoder of the JDK puts question marks in the place of the former
   */
  static String decoded(String text) {
    if (text.indexOf('%') < 0) {
      return text.replace('+', ' ');
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        bytes.write(HexFormat.fromHexDigits(text, i + 1, Math.min(i + 3, text.length())));
        if (i + 3 > text.length()) {
          throw new IllegalArgumentException("cut short");
        }
        i += 2;
      } else if (c == '+') {
        bytes.write(' ');
      } else {
        bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
