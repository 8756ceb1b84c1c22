// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Payload;
import io.tidemark.names.RecordKind;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A state of a concern as it is stored, the watermark aside.
 *
 * @param attributes of those in {@link ConcernAttributes#payloadAttributes} the ones there are;
 *     NULL is as good as absent
 */
record PayloadAttributes(Map<String, AttributeValue> attributes) {

  private static final AttributeValue NULL = AttributeValue.fromNul(true);

  static PayloadAttributes of(
      Dialect dialect,
      ConcernAttributes concernAttributes,
      RecordKind recordKind,
      ConcernValue value) {
    if (dialect == Dialect.FLUREE) {
      return new PayloadAttributes(FlureeScalars.of(concernAttributes, recordKind, value));
    }
    return new PayloadAttributes(
        value
            .payload()
            .map(payload -> map(concernAttributes, payload))
            .orElse(Map.of(concernAttributes.payload(), NULL)));
  }

  /** Returns the payload as a map, and beside it as text where the map isn't enough. */
  private static Map<String, AttributeValue> map(
      ConcernAttributes concernAttributes, Payload payload) {
    ObjectNode json = payload.toTree();
    AttributeValue map = JsonAttributes.toAttribute(json);
    boolean enough =
        JsonAttributes.isLossless(json)
            && (concernAttributes != ConcernAttributes.CONFIG
                || JsonAttributes.toJson(map).toString().equals(payload.toJson()));
    return enough
        ? Map.of(concernAttributes.payload(), map)
        : Map.of(
            concernAttributes.payload(),
            map,
            concernAttributes.text(),
            AttributeValue.fromS(payload.toJson()));
  }
}
