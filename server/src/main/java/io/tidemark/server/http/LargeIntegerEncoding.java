// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigInteger;
import java.util.Map;

/**
 * Encoding of integers beyond the range of JavaScript as text, for callers that ask for it with
 * {@code numbers=string}.
 */
public final class LargeIntegerEncoding {

  private static final BigInteger LIMIT = BigInteger.ONE.shiftLeft(53);

  private LargeIntegerEncoding() {}

  /** Returns whether a call asks for this encoding. */
  public static boolean asText(HttpRequestContext httpRequestContext) {
    String how = httpRequestContext.query("numbers").orElse("number");
    if (!how.equals("string") && !how.equals("number")) {
      throw HttpRequestContext.invalid(
          "the parameter numbers is string or number, unlike \"" + how + "\"");
    }
    return how.equals("string");
  }

  /** Replaces large integers by texts; modifies the tree in place where possible. */
  public static JsonNode asText(JsonNode json) {
    if (json instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> member : object.properties()) {
        member.setValue(asText(member.getValue()));
      }
    } else if (json instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, asText(array.get(i)));
      }
    } else if (json.isIntegralNumber() && json.bigIntegerValue().abs().compareTo(LIMIT) > 0) {
      return TextNode.valueOf(json.asText());
    }
    return json;
  }
}
