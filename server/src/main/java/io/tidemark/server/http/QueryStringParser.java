// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.util.function.BiConsumer;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.UrlEncoded;
import org.jspecify.annotations.Nullable;

/** The query of a URL: parameters that are text, and not too many. */
final class QueryStringParser {

  private QueryStringParser() {}

  /**
   * Reads the parameters.
   *
   * @param query as it came; null when there is none
   * @param most how many there may be
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
   * Decodes a step of a path, in which a plus is a plus.
   *
   * @throws IllegalArgumentException when it isn't UTF-8, or a '%' has no digits behind it
   */
  static String decodeStep(String encoded) {
    StringBuilder text = new StringBuilder(encoded.length());
    String name = encoded.replace("+", "%2B").replace("&", "%26").replace("=", "%3D");
    decode(name, (decoded, none) -> text.append(decoded));
    return text.toString();
  }

  /** Is as strict as can be: the decoder of the JDK puts question marks in the place of errors. */
  private static void decode(String text, BiConsumer<String, String> each) {
    boolean unused = UrlEncoded.decodeUtf8To(text, 0, text.length(), each, false, false, false);
  }
}
