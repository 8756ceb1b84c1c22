// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.WireJson;
import java.util.List;
import java.util.Map;

/**
 * Writes of one transaction. The document is {@code {"writes": […], "messages": {"id": "text"}}},
 * or a GeoJSON FeatureCollection or Feature, each of whose features is created or replaced. It is
 * validated when it is written.
 *
 * @param json the document
 */
public record FeatureBatch(ObjectNode json) {

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public FeatureBatch {}

  private record Writes(List<FeatureWrite> writes, Map<String, String> messages) {}

  /** Returns a batch of writes. */
  public static FeatureBatch of(List<FeatureWrite> writes) {
    return of(writes, Map.of());
  }

  /** Returns a batch of writes, with messages for the log by their ids. */
  public static FeatureBatch of(List<FeatureWrite> writes, Map<String, String> messages) {
    return new FeatureBatch((ObjectNode) WireJson.tree(new Writes(writes, messages)));
  }

  @JsonValue
  @Override
  public ObjectNode json() {
    return json;
  }
}
