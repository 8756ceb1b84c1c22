// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.objects.JsonErrors;
import io.tidemark.objects.SafeDecimalNodeFactory;
import io.tidemark.objects.internal.json.ExactJsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Content of a concern besides its watermark: a JSON object, kept exactly, numbers of any length
 * included. Immutable.
 *
 * <p>Two payloads are equal when their values are: the order of keys and the spelling of a number
 * (1, 1.0 or 1e0) don't count, its value does.
 */
public final class Payload {

  private static final JsonNodeFactory NODES = new SafeDecimalNodeFactory();

  private static final ExactJsonReader READER =
      new ExactJsonReader(StreamReadConstraints.defaults(), NODES);

  /** The writer of payloads that were built as trees; not made before it is needed. */
  private static final class Writing {
    static final JsonMapper MAPPER = new JsonMapper();

    private Writing() {}
  }

  /** In UTF-8 a character of a string takes up to three bytes. */
  private static final int BYTES_A_CHAR = 3;

  /** Parsed JSON, never changed; null for a pointer until the first caller asks for it. */
  private volatile @Nullable ObjectNode json;

  /**
   * Target, when this payload was made as a pointer. Heads move often, and few callers read their
   * JSON.
   */
  private final @Nullable Ref pointer;

  /** JSON text; null for a payload built as a tree until the first caller asks for it. */
  private volatile @Nullable String text;

  private Payload(ObjectNode json, @Nullable String text) {
    this.json = json;
    this.pointer = null;
    this.text = text;
  }

  private Payload(Ref pointer) {
    this.pointer = pointer;
  }

  /** {@code {"id":…,"t":…}}, as a head has it. */
  static Payload of(Ref pointer) {
    return new Payload(pointer);
  }

  /** Returns the target that {@link #of(Ref)} was given; empty for all other payloads. */
  Optional<Ref> pointer() {
    return Optional.ofNullable(pointer);
  }

  /** Reads JSON, which must be one object. */
  public static Payload parse(String text) {
    JsonNode node;
    try {
      node = READER.read(text);
    } catch (IOException e) {
      throw new InvalidPayloadException(
          "the payload is no JSON: " + JsonErrors.reason(e) + "; write one JSON object", e);
    } catch (NumberFormatException e) { // the parser lets it through
      throw new InvalidPayloadException(
          "the payload has a number beyond what can be reckoned with: "
              + e.getMessage()
              + "; write it as text",
          e);
    }
    if (node instanceof ObjectNode object) {
      return new Payload(object, text);
    }
    throw new InvalidPayloadException(
        "the payload is JSON but no object; write one, like {\"state\":\"ready\"}");
  }

  /** Returns a payload of a tree that a program has built. */
  public static Payload of(JsonNode node) {
    // As it would be read, so that 5 as an int and 5 as a long become the same.
    return JsonNormalizer.of(node)
        .map(copy -> new Payload(copy, null))
        .orElseGet(() -> parse(write(node)));
  }

  private static String write(JsonNode node) {
    try {
      return Writing.MAPPER.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new InvalidPayloadException(
          "the payload can't be written as JSON: " + JsonErrors.reason(e) + "; make it smaller", e);
    }
  }

  /** Returns a payload that is filled by the caller. */
  public static Payload build(Consumer<ObjectNode> fill) {
    ObjectNode node = NODES.objectNode();
    fill.accept(node);
    return of(node);
  }

  /** This payload with changes. */
  public Payload with(Consumer<ObjectNode> change) {
    ObjectNode copy = json().deepCopy();
    change.accept(copy);
    return of(copy);
  }

  /** Returns a field as text, if it is there and is text. */
  public Optional<String> string(String field) {
    if (pointer != null && field.equals("id")) {
      return pointer.id();
    }
    JsonNode node = json().get(field);
    return node != null && node.isTextual() ? Optional.of(node.textValue()) : Optional.empty();
  }

  /** Returns a copy of the tree, which the caller may change. */
  public ObjectNode toTree() {
    return pointer == null ? json().deepCopy() : tree(pointer);
  }

  /** Returns the tree itself, to be read only. */
  ObjectNode json() {
    ObjectNode known = json;
    if (known == null) {
      Ref ref = Objects.requireNonNull(pointer, "a payload is a tree or a pointer");
      known = of(tree(ref)).json();
      json = known;
    }
    return known;
  }

  private static ObjectNode tree(Ref ref) {
    ObjectNode tree = NODES.objectNode();
    tree.put("id", ref.id().orElseThrow());
    boolean small = ref.t() <= Integer.MAX_VALUE; // as it would be read
    return small ? tree.put("t", (int) ref.t()) : tree.put("t", ref.t());
  }

  /** Returns the JSON as it was written. */
  public String toJson() {
    String known = text;
    if (known == null) {
      known = write(json());
      text = known;
    }
    return known;
  }

  /** Returns the length in bytes of UTF-8. */
  public int size() {
    return toJson().getBytes(StandardCharsets.UTF_8).length;
  }

  /** Returns whether this payload has more bytes than the limit; quicker than counting them. */
  public boolean isLongerThan(int limit) {
    return mostBytes() > limit && size() > limit;
  }

  /**
   * Returns whether objects and arrays are nested deeper than the limit; quick for small payloads.
   */
  boolean isDeeperThan(int limit) {
    return pointer == null && mostBytes() > limit && isDeeper(json(), limit);
  }

  private static boolean isDeeper(JsonNode node, int limit) {
    if (!node.isContainerNode()) {
      return false;
    }
    if (limit == 0) {
      return true;
    }
    for (JsonNode each : node) {
      if (isDeeper(each, limit - 1)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether its texts keep the rule of {@link UnicodeText}. */
  boolean isUnicode() {
    return pointer == null
        ? UnicodeText.isWellFormed(json())
        : UnicodeText.isWellFormed(pointer.id().orElse(""));
  }

  private long mostBytes() {
    String known = text;
    if (known != null) {
      return (long) known.length() * BYTES_A_CHAR;
    }
    return pointer == null ? JsonNormalizer.mostBytes(json()) : JsonNormalizer.mostBytes(pointer);
  }

  /** Returns a digest of the value: equal for equal payloads, and different for unequal ones. */
  public String digest() {
    return JsonEquality.digest(json());
  }

  @Override
  public boolean equals(Object other) {
    if (this == other || !(other instanceof Payload payload)) {
      return this == other;
    }
    if (pointer != null && payload.pointer != null) {
      return pointer.equals(payload.pointer);
    }
    return json().equals(JsonEquality.BY_VALUE, payload.json());
  }

  @Override
  public int hashCode() {
    return JsonEquality.hash(json());
  }

  @Override
  public String toString() {
    return toJson();
  }
}
