// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Payload;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A payload as it is stored.
 *
 * @param map as a map
 * @param text its JSON, where the map isn't enough
 */
record PayloadForm(AttributeValue map, Optional<String> text) {

  static PayloadForm of(Layout layout, Payload payload) {
    ObjectNode json = payload.toTree();
    AttributeValue map = JsonAttributes.toAttribute(json);
    boolean enough =
        JsonAttributes.carries(json)
            && (layout != Layout.CONFIG
                || JsonAttributes.toJson(map).toString().equals(payload.toJson()));
    return new PayloadForm(map, enough ? Optional.empty() : Optional.of(payload.toJson()));
  }
}
