// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Reader of a box, which is a text or a list of numbers. */
final class BoxReader extends StdDeserializer<String> {
  private static final long serialVersionUID = 1;

  BoxReader() {
    super(String.class);
  }

  @Override
  public String deserialize(JsonParser parser, DeserializationContext context) throws IOException {
    JsonNode box = context.readTree(parser);
    return box.isArray()
        ? StreamSupport.stream(box.spliterator(), false)
            .map(JsonNode::asText)
            .collect(Collectors.joining(","))
        : box.asText();
  }
}
