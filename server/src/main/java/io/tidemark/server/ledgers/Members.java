// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.server.http.Call;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reader of a body's members. A member that is null counts as missing. */
public record Members(ObjectNode json, String of) {

  /** The body of a call. */
  public static Members of(Call call) throws IOException {
    return new Members(call.body(), "the body");
  }

  private Optional<JsonNode> value(String name) {
    JsonNode value = json.get(name);
    return value == null || value.isNull() ? Optional.empty() : Optional.of(value);
  }

  private RuntimeException wrong(String name, String kind) {
    return Call.invalid("\"" + name + "\" in " + of + " has to be " + kind);
  }

  Optional<JsonNode> any(String name) {
    return value(name);
  }

  public Optional<String> text(String name) {
    Optional<JsonNode> value = value(name);
    if (value.isPresent() && !value.get().isTextual()) {
      throw wrong(name, "a text");
    }
    return value.map(JsonNode::textValue);
  }

  public String requiredText(String name) {
    return text(name).orElseThrow(() -> wrong(name, "a text, and is needed"));
  }

  public boolean flag(String name) {
    Optional<JsonNode> value = value(name);
    if (value.isPresent() && !value.get().isBoolean()) {
      throw wrong(name, "true or false");
    }
    return value.map(JsonNode::booleanValue).orElse(false);
  }

  Optional<Long> number(String name, long least, long greatest) {
    Optional<JsonNode> value = value(name);
    boolean fits =
        value.isEmpty()
            || (value.get().isIntegralNumber()
                && value.get().canConvertToLong()
                && value.get().longValue() >= least
                && value.get().longValue() <= greatest);
    if (!fits) {
      throw wrong(name, "a whole number from " + least + " to " + greatest);
    }
    return value.map(JsonNode::longValue);
  }

  /** A text, or a list of texts. */
  List<String> texts(String name) {
    Optional<JsonNode> value = value(name);
    if (value.isEmpty()) {
      return List.of();
    }
    if (value.get().isTextual()) {
      return List.of(value.get().textValue());
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode each : value.get()) {
      if (!value.get().isArray() || !each.isTextual()) {
        throw wrong(name, "a list of texts");
      }
      texts.add(each.textValue());
    }
    if (!value.get().isArray()) {
      throw wrong(name, "a list of texts");
    }
    return texts;
  }

  List<JsonNode> list(String name) {
    Optional<JsonNode> value = value(name);
    if (value.isPresent() && !value.get().isArray()) {
      throw wrong(name, "a list");
    }
    List<JsonNode> all = new ArrayList<>();
    value.ifPresent(list -> list.forEach(all::add));
    return all;
  }

  /** An object of texts, in its order. */
  Map<String, String> textMap(String name) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> each : object(name).properties()) {
      if (!each.getValue().isTextual()) {
        throw wrong(name, "an object of texts");
      }
      texts.put(each.getKey(), each.getValue().textValue());
    }
    return texts;
  }

  /** An object; empty when there is none. */
  ObjectNode object(String name) {
    Optional<JsonNode> value = value(name);
    if (value.isEmpty()) {
      return json.objectNode();
    }
    if (value.get() instanceof ObjectNode object) {
      return object;
    }
    throw wrong(name, "an object");
  }
}
