// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import io.tidemark.features.model.Feature;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Page of an answer, as large as the limit allows.
 *
 * @param features in order
 * @param handle where to go on; null when this is the end
 */
public record FeatureQueryPage(List<Feature> features, @Nullable String handle) {

  public FeatureQueryPage {
    features = List.copyOf(features);
  }

  /** Returns the handle for {@link FeatureQuery#after}; empty on the last page. */
  public Optional<String> next() {
    return Optional.ofNullable(handle);
  }
}
