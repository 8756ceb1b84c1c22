// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;

/**
 * Outcome of a commit whose answer was lost.
 *
 * @param tookPlace whether it took place; without it the work can be done again
 */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record CommitOutcome(boolean tookPlace) {}
