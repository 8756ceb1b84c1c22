// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/**
 * Reader of one JSON value as a tree, every number as it is written. Refuses members that occur
 * twice and text after the value.
 *
 * <p>Builds the tree itself: an {@code ObjectMapper} would do the same, but loading that class
 * loads calendars and locales for dates, which takes a short process longer than all it reads.
 */
public final class ExactJsonReader {

  private final JsonFactory factory;
  private final JsonNodeFactory nodes;

  /**
   * Creates a reader for use by any number of threads.
   *
   * @param limits how deep, how long and how large values may be
   * @param nodes makes the nodes of the tree
   */
  public ExactJsonReader(StreamReadConstraints limits, JsonNodeFactory nodes) {
    this.factory =
        JsonFactory.builder()
            .streamReadConstraints(limits)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    this.nodes = nodes;
  }

  /**
   * Reads a value, or a missing node if there is none.
   *
   * @throws IOException if it isn't JSON
   * @throws NumberFormatException if a number is out of range
   */
  public JsonNode read(byte[] bytes) throws IOException {
    try (JsonParser parser = factory.createParser(bytes)) {
      return whole(parser);
    }
  }

  /**
   * Reads a value, or a missing node if there is none.
   *
   * @throws IOException if it isn't JSON
   * @throws NumberFormatException if a number is out of range
   */
  public JsonNode read(String text) throws IOException {
    try (JsonParser parser = factory.createParser(text)) {
      return whole(parser);
    }
  }

  private JsonNode whole(JsonParser parser) throws IOException {
    JsonToken first = parser.nextToken();
    if (first == null) {
      return MissingNode.getInstance();
    }
    JsonNode value = value(parser, first);
    if (parser.nextToken() != null) {
      throw new JsonParseException(parser, "there is more text after the JSON value");
    }
    return value;
  }

  private JsonNode value(JsonParser parser, JsonToken token) throws IOException {
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> nodes.textNode(parser.getText());
      case VALUE_NUMBER_INT -> integer(parser);
      case VALUE_NUMBER_FLOAT -> nodes.numberNode(parser.getDecimalValue());
      case VALUE_TRUE -> nodes.booleanNode(true);
      case VALUE_FALSE -> nodes.booleanNode(false);
      case VALUE_NULL -> nodes.nullNode();
      default -> throw new JsonParseException(parser, "there is a " + token + " where a value is");
    };
  }

  private ObjectNode object(JsonParser parser) throws IOException {
    ObjectNode object = nodes.objectNode();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      object.set(name, value(parser, parser.nextToken()));
    }
    return object;
  }

  private ArrayNode array(JsonParser parser) throws IOException {
    ArrayNode array = nodes.arrayNode();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      array.add(value(parser, token));
    }
    return array;
  }

  private JsonNode integer(JsonParser parser) throws IOException {
    return switch (parser.getNumberType()) {
      case INT -> nodes.numberNode(parser.getIntValue());
      case LONG -> nodes.numberNode(parser.getLongValue());
      default -> nodes.numberNode(parser.getBigIntegerValue());
    };
  }
}
