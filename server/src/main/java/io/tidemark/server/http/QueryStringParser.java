// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.util.function.BiConsumer;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.UrlEncoded;
import org.jspecify.annotations.Nullable;

/** Parser of query strings, with a limit on the number of parameters. */
final class QueryStringParser {

  private QueryStringParser() {}

  /**
   * Parses the parameters.
   *
   * @param query the query string, still encoded; null if there is none
   * @param most maximum number of parameters
   */
  static Fields parse(@Nullable String query, int most) {
    Fields fields = new Fields();
    if (query == null) {
      return fields;
    }
    int[] count = {0};
    try {
      decode(
          query,
          (name, value) -> {
            if (++count[0] > most) {
              throw HttpRequestContext.invalid(
                  "the query has more than " + most + " parameters; send fewer");
            }
            fields.add(name, value);
          });
    } catch (IllegalArgumentException e) {
      throw HttpRequestContext.invalid(
          "the query isn't text in UTF-8, encoded by '%' and two digits");
    }
    return fields;
  }

  /**
   * Decodes a step of a path, in which a plus sign stands for itself.
   *
   * @throws IllegalArgumentException if the step isn't UTF-8, or a '%' lacks its two digits
   */
  static String decodeStep(String encoded) {
    StringBuilder text = new StringBuilder(encoded.length());
    String name = encoded.replace("+", "%2B").replace("&", "%26").replace("=", "%3D");
    decode(name, (decoded, none) -> text.append(decoded));
    return text.toString();
  }

  /**
   * Decodes the parameters strictly, since the decoder of the JDK replaces errors by question
   * marks.
   */
  private static void decode(String text, BiConsumer<String, String> each) {
    boolean unused = UrlEncoded.decodeUtf8To(text, 0, text.length(), each, false, false, false);
  }
}
