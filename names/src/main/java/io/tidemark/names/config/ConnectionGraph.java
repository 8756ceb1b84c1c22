// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The nodes of a document, their keys and types spelled alike however the document spells them:
 * plain with {@code @vocab}, with a prefix, or as full IRIs.
 *
 * @param nodes in the order of the document
 */
record ConnectionGraph(List<Node> nodes) {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /**
   * One node.
   *
   * @param id its {@code @id}; empty when it has none
   * @param types its types, those of the vocabulary without it
   * @param fields its values, under names without the vocabulary
   */
  record Node(String id, Set<String> types, Map<String, JsonNode> fields) {

    /** Returns the description of this node for messages. */
    String describe() {
      return id.isEmpty() ? "the node without an @id" : "the node " + id;
    }
  }

  static ConnectionGraph parse(String json) {
    JsonNode root;
    try {
      root = JSON.readTree(json);
    } catch (JsonProcessingException e) {
      // Without the cause, whose message repeats the word that it stumbled over.
      throw new InvalidConnectionException(
          "the connection document is no JSON (line "
              + e.getLocation().getLineNr()
              + ", column "
              + e.getLocation().getColumnNr()
              + "); correct it there");
    }
    if (!root.path("@graph").isArray()) {
      throw new InvalidConnectionException(
          "the connection document has no @graph; write"
              + " {\"@context\": {\"@vocab\": \"https://ns.flur.ee/system#\"}, \"@graph\": [...]}");
    }
    JsonLdContext jsonLdContext = JsonLdContext.read(root.path("@context"));
    List<Node> nodes = new ArrayList<>();
    root.path("@graph")
        .forEach(
            each -> {
              if (each instanceof ObjectNode object) {
                nodes.add(node(jsonLdContext, object));
              }
            });
    return new ConnectionGraph(nodes);
  }

  List<Node> ofType(String type) {
    return nodes.stream().filter(node -> node.types().contains(type)).toList();
  }

  /** Returns the node of an id; empty when there is none. */
  Optional<Node> find(String id) {
    List<Node> found = nodes.stream().filter(node -> node.id().equals(id)).toList();
    if (found.size() > 1) {
      throw new InvalidConnectionException(
          "the connection document has "
              + found.size()
              + " nodes with the @id "
              + id
              + "; give each an @id of its own");
    }
    return found.stream().findFirst();
  }

  private static Node node(JsonLdContext jsonLdContext, ObjectNode object) {
    String id = jsonLdContext.id(object.path("@id").asText());
    Set<String> types = new LinkedHashSet<>();
    JsonNode type = object.path("@type");
    if (type.isTextual()) {
      types.add(jsonLdContext.name(type.textValue()));
    }
    type.forEach(each -> types.add(jsonLdContext.name(each.asText())));
    Map<String, JsonNode> fields = new LinkedHashMap<>();
    Node node = new Node(id, types, fields);
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      String name = jsonLdContext.name(field.getKey());
      if (!name.startsWith("@")
          && fields.put(name, value(jsonLdContext, field.getValue())) != null) {
        throw new InvalidConnectionException(
            node.describe() + " has " + name + " twice, in two spellings; leave one out");
      }
    }
    return node;
  }

  /**
   * Returns a value without what JSON-LD may wrap it in; the names in an object are spelled alike
   * too.
   */
  private static JsonNode value(JsonLdContext jsonLdContext, JsonNode found) {
    if (found.isArray() && found.size() == 1) {
      return value(jsonLdContext, found.get(0));
    }
    if (!(found instanceof ObjectNode object)) {
      return found;
    }
    if (object.has("@value")) {
      return object.get("@value");
    }
    ObjectNode out = JSON.createObjectNode();
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      boolean id = field.getKey().equals("@id") && field.getValue().isTextual();
      if (id) {
        out.put("@id", jsonLdContext.id(field.getValue().textValue()));
      } else {
        out.set(jsonLdContext.name(field.getKey()), value(jsonLdContext, field.getValue()));
      }
    }
    return out;
  }
}
