// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.OptionalLong;

/**
 * Maintenance to be done beside what is always due.
 *
 * @param mergeMonths whether days of the history that are older than 31 become months
 * @param keepLog number of days of the log to keep; empty for all
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record FeatureMaintenanceRequest(boolean mergeMonths, OptionalLong keepLog)
    implements FeatureMaintenanceRequestBuilder.With {

  /** Returns the maintenance that is always due. */
  public static FeatureMaintenanceRequest standard() {
    return new FeatureMaintenanceRequest(false, OptionalLong.empty());
  }
}
