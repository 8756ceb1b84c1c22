// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import java.util.List;

/**
 * Description of how PostgreSQL answers a query.
 *
 * @param plan lines of its plan
 */
public record FeaturePlan(List<String> plan) {

  public FeaturePlan {
    plan = List.copyOf(plan);
  }
}
