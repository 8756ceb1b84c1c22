// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * State of a collection: its settings, and what is known of its features. The document is open, as
 * the database may keep more in it than this version knows.
 *
 * @param json the document
 */
public record FeatureCollectionInfo(ObjectNode json) {

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public FeatureCollectionInfo {
    json = json.deepCopy();
  }

  @JsonValue
  @Override
  public ObjectNode json() {
    return json;
  }

  /** Returns the id. */
  public String id() {
    return json.path("id").asText();
  }

  /** Returns whether the collection is hidden until it is restored. */
  public boolean isDeleted() {
    return json.path("deleted").asBoolean();
  }
}
