// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/**
 * Features, or states of one, as a GeoJSON FeatureCollection.
 *
 * @param features the features, in order
 * @param next cursor of the next page; empty on the last one
 */
@JsonPropertyOrder({"type", "features", "next"})
public record FeaturePage(List<ObjectNode> features, Optional<String> next) {

  public FeaturePage {
    features = List.copyOf(features);
  }

  /** Returns the type of the GeoJSON object. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public String type() {
    return FoundFeatures.TYPE;
  }
}
