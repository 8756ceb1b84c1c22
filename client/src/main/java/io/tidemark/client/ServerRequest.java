// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.UnicodeText;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Request to a server. Start from {@link #of} and add what it needs.
 *
 * @param method such as {@code GET}
 * @param target path and query, encoded
 * @param headers names and values in turn
 * @param body the body
 * @param effect whether it changes something
 */
public record ServerRequest(
    String method, String target, List<String> headers, BodyPublisher body, Effect effect) {

  private static final String PLAIN =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:";
  private static final String HEX = "0123456789ABCDEF";

  /** Effect of a request on the server. */
  public enum Effect {
    NONE,
    CHANGE
  }

  public ServerRequest {
    headers = List.copyOf(headers);
  }

  /**
   * Returns a request without a body.
   *
   * @param steps of the path, as they are: what is in one of them is encoded, slashes too
   */
  public static ServerRequest of(String method, String... steps) {
    StringBuilder path = new StringBuilder();
    for (String step : steps) {
      encode(step, path.append('/'));
    }
    Effect effect = method.equals("GET") || method.equals("HEAD") ? Effect.NONE : Effect.CHANGE;
    return new ServerRequest(method, path.toString(), List.of(), BodyPublishers.noBody(), effect);
  }

  public static ServerRequest get(String... steps) {
    return of("GET", steps);
  }

  /** Returns the request with a query parameter. */
  public ServerRequest query(String name, String value) {
    StringBuilder longer = new StringBuilder(target);
    encode(name, longer.append(target.indexOf('?') < 0 ? '?' : '&'));
    encode(value, longer.append('='));
    return new ServerRequest(method, longer.toString(), headers, body, effect);
  }

  /** Returns the request with a header. */
  public ServerRequest header(String name, String value) {
    List<String> more = new ArrayList<>(headers);
    more.add(name);
    more.add(value);
    return new ServerRequest(method, target, more, body, effect);
  }

  /** Returns the request with more headers. */
  public ServerRequest headers(Map<String, String> more) {
    List<String> all = new ArrayList<>(headers);
    new TreeMap<>(more).forEach((name, value) -> all.addAll(List.of(name, value)));
    return new ServerRequest(method, target, all, body, effect);
  }

  /** Returns the request with a JSON document as its body. */
  public ServerRequest json(JsonNode document) {
    return body("application/json", BodyPublishers.ofByteArray(UnicodeText.bytes(document)));
  }

  /** Returns the request with a body. */
  public ServerRequest body(String type, BodyPublisher content) {
    ServerRequest typed = header("Content-Type", type);
    return new ServerRequest(method, target, typed.headers, content, effect);
  }

  /** Returns whether it only reads, so that it may be made again whatever became of it. */
  boolean isReadOnly() {
    return effect == Effect.NONE;
  }

  /** Returns the request as one that only reads, whatever its method. */
  public ServerRequest asReadOnly() {
    return new ServerRequest(method, target, headers, body, Effect.NONE);
  }

  /** Returns a text with all but plain characters percent-encoded, as in paths. */
  public static String encoded(String text) {
    StringBuilder encoded = new StringBuilder();
    encode(text, encoded);
    return encoded.toString();
  }

  private static void encode(String text, StringBuilder into) {
    if (!UnicodeText.isWellFormed(text)) {
      throw new InvalidPayloadException("a name or a parameter has " + UnicodeText.PROBLEM);
    }
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (PLAIN.indexOf(b) >= 0) {
        into.append((char) b);
      } else {
        into.append('%').append(HEX.charAt((b >> 4) & 15)).append(HEX.charAt(b & 15));
      }
    }
  }

  /** Returns the method and target, for messages, without the body. */
  @Override
  public String toString() {
    return method + " " + target;
  }
}
