// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;

/**
 * Look-up of features by their ids.
 *
 * @param ids ids of the features
 * @param at past state; empty for the current one
 * @param deleted whether the last states of deleted features are returned, and no others; without
 *     {@code at}
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record LookupRequest(List<String> ids, Optional<FeatureMoment> at, boolean deleted)
    implements LookupRequestBuilder.With {

  public LookupRequest {
    ids = List.copyOf(ids);
  }

  /** Returns the look-up of features as they are. */
  public static LookupRequest of(List<String> ids) {
    return new LookupRequest(ids, Optional.empty(), false);
  }

  /** Returns the look-up of a feature as it is. */
  public static LookupRequest of(String id) {
    return of(List.of(id));
  }

  /** Returns the look-up of a past state. */
  public LookupRequest at(FeatureMoment moment) {
    return withAt(Optional.of(moment));
  }
}
