// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a concern carries besides its watermark: a JSON object, kept exactly, numbers of any length
 * included. Immutable.
 *
 * <p>Two payloads are equal when they are the same JSON: the order of keys and the spelling of a
 * number (1.0 or 1.00) don't count, its value does.
 */
public final class Payload {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private final ObjectNode json;
  private final String text;

  private Payload(ObjectNode json, String text) {
    this.json = json;
    this.text = text;
  }

  /** Reads JSON, which must be one object. */
  public static Payload parse(String text) {
    JsonNode node;
    try {
      node = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new InvalidPayloadException(
          "the payload is no JSON: " + e.getOriginalMessage() + "; write one JSON object", e);
    }
    if (node instanceof ObjectNode object) {
      return new Payload(object, text);
    }
    throw new InvalidPayloadException(
        "the payload is JSON but no object; write one, like {\"state\":\"ready\"}");
  }

  /** The payload that some program built as a tree. */
  public static Payload of(JsonNode node) {
    // Through text, so that 5 as an int and 5 as a long become the same.
    return parse(node.toString());
  }

  /** A payload that is filled by the caller. */
  public static Payload build(Consumer<ObjectNode> fill) {
    ObjectNode node = JSON.createObjectNode();
    fill.accept(node);
    return of(node);
  }

  /** This payload with changes. */
  public Payload with(Consumer<ObjectNode> change) {
    ObjectNode copy = json.deepCopy();
    change.accept(copy);
    return of(copy);
  }

  /** A field as text, if it is there and is text. */
  public Optional<String> string(String field) {
    JsonNode node = json.get(field);
    return node != null && node.isTextual() ? Optional.of(node.textValue()) : Optional.empty();
  }

  /** A copy of the tree, for the caller to do with as it likes. */
  public ObjectNode toTree() {
    return json.deepCopy();
  }

  /** The JSON as it was written. */
  public String toJson() {
    return text;
  }

  /** Its length in bytes of UTF-8. */
  public int size() {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload payload && json.equals(payload.json);
  }

  @Override
  public int hashCode() {
    return json.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
