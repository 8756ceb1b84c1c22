// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Pages of a listing: {@code {"items": [...], "next": "..."}}. The client passes {@code next} as
 * {@code cursor} to get the next page. The cursor is opaque to clients.
 */
public final class Pagination {

  private Pagination() {}

  /** Returns the decoded cursor of a call; empty for the first page. */
  public static Optional<String> of(HttpRequestContext httpRequestContext) {
    return httpRequestContext.query("cursor").map(Pagination::decoded);
  }

  /**
   * Returns a page.
   *
   * @param next start of the next page; empty if this page is the last
   */
  public static ObjectNode page(List<? extends JsonNode> items, Optional<String> next) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.putArray("items").addAll(items);
    next.ifPresent(text -> json.put("next", encode(text)));
    return json;
  }

  /**
   * Returns the page that a call asks for.
   *
   * @param found items of the page, plus one more if there is a next page
   * @param place position of an item, after which the next page begins
   */
  public static <T> ObjectNode page(
      HttpRequestContext httpRequestContext,
      List<T> found,
      Function<T, String> place,
      Function<T, ? extends JsonNode> json) {
    int size = Math.min(httpRequestContext.pageSize(), found.size());
    return page(
        found.stream().limit(size).<JsonNode>map(json).toList(),
        size < found.size() ? Optional.of(place.apply(found.get(size - 1))) : Optional.empty());
  }

  /**
   * Returns the page that a call asks for, from a complete collection.
   *
   * @param all items in the order of their positions
   */
  public static <T> ObjectNode pageOf(
      HttpRequestContext httpRequestContext,
      Collection<T> all,
      Function<T, String> place,
      Function<T, ? extends JsonNode> json) {
    String after = of(httpRequestContext).orElse("");
    List<T> behind = all.stream().filter(each -> place.apply(each).compareTo(after) > 0).toList();
    return page(httpRequestContext, behind, place, json);
  }

  /** Encodes the position of a page as a cursor, for pages in another format. */
  public static String encode(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String decoded(String token) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(token));
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (IllegalArgumentException | CharacterCodingException e) {
      throw HttpRequestContext.invalid("the cursor is none of this server's; begin without one");
    }
  }
}
