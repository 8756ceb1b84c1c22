// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Features that were asked for by name, as a GeoJSON FeatureCollection.
 *
 * @param features features that are there, in the order of the request
 * @param missing names of the features that aren't there
 */
@JsonPropertyOrder({"type", "features", "missing"})
public record FoundFeatures(List<ObjectNode> features, List<String> missing) {

  static final String TYPE = "FeatureCollection";

  public FoundFeatures {
    features = List.copyOf(features);
    missing = List.copyOf(missing);
  }

  /** Returns the type of the GeoJSON object. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public String type() {
    return TYPE;
  }
}
