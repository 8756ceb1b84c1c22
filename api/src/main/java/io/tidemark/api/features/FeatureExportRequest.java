// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;

/**
 * Export of a collection.
 *
 * @param format format, not CSV
 * @param at past state; empty for the current one
 * @param replace whether a file that exists is replaced; without it such a file is refused
 */
@RecordBuilder
public record FeatureExportRequest(
    FeatureFormat format, Optional<FeatureMoment> at, boolean replace)
    implements FeatureExportRequestBuilder.With {

  /** Returns the export of the current state to a file that doesn't exist. */
  public static FeatureExportRequest of(FeatureFormat format) {
    return new FeatureExportRequest(format, Optional.empty(), false);
  }

  /** Returns the export of a past state. */
  public FeatureExportRequest at(FeatureMoment moment) {
    return withAt(Optional.of(moment));
  }
}
