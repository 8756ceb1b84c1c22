// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Kind;
import io.tidemark.names.Payload;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A state of a concern as it is stored, the watermark aside.
 *
 * @param attributes of those in {@link Layout#forms} the ones there are; NULL is as good as absent
 */
record PayloadForm(Map<String, AttributeValue> attributes) {

  private static final AttributeValue NULL = AttributeValue.fromNul(true);

  static PayloadForm of(Dialect dialect, Layout layout, Kind kind, ConcernValue value) {
    if (dialect == Dialect.FLUREE) {
      return new PayloadForm(Scalars.of(layout, kind, value));
    }
    return new PayloadForm(
        value
            .payload()
            .map(payload -> map(layout, payload))
            .orElse(Map.of(layout.payload(), NULL)));
  }

  /** As a map, and beside it as text where the map isn't enough. */
  private static Map<String, AttributeValue> map(Layout layout, Payload payload) {
    ObjectNode json = payload.toTree();
    AttributeValue map = JsonAttributes.toAttribute(json);
    boolean enough =
        JsonAttributes.carries(json)
            && (layout != Layout.CONFIG
                || JsonAttributes.toJson(map).toString().equals(payload.toJson()));
    return enough
        ? Map.of(layout.payload(), map)
        : Map.of(layout.payload(), map, layout.text(), AttributeValue.fromS(payload.toJson()));
  }
}
