// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Pages of a listing: {@code {"items": [...], "next": "..."}}, where {@code next} is to be given as
 * {@code cursor} for the page behind. What is in it is nobody's business but the server's.
 */
public final class PageToken {

  private PageToken() {}

  /** Where the page begins that a call asks for, as {@link #page} was told; empty for the first. */
  public static Optional<String> of(Call call) {
    return call.query("cursor").map(PageToken::decoded);
  }

  /**
   * A page.
   *
   * @param next where the next page begins; empty when this is the last
   */
  public static ObjectNode page(List<? extends JsonNode> items, Optional<String> next) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.putArray("items").addAll(items);
    next.ifPresent(text -> json.put("next", encoded(text)));
    return json;
  }

  private static String encoded(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String decoded(String token) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(token));
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (IllegalArgumentException | CharacterCodingException e) {
      throw Call.invalid("the cursor is none of this server's; begin without one");
    }
  }
}
