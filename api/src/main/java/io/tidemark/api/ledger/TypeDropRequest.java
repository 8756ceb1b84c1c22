// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * End of a type, in a commit.
 *
 * @param relations relations that go with it
 * @param cascade whether every relation that has the type as an end goes with it
 * @param purgeHistory whether the caller accepts that all rows go, with their history
 * @param apply whether to drop; otherwise the result is a plan with its token
 * @param token token of the plan to carry out
 * @param force whether to drop without a plan
 * @param metadata kept with the commit
 */
@RecordBuilder
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record TypeDropRequest(
    List<String> relations,
    boolean cascade,
    boolean purgeHistory,
    boolean apply,
    Optional<String> token,
    boolean force,
    Map<String, String> metadata)
    implements TypeDropRequestBuilder.With {

  public TypeDropRequest {
    relations = List.copyOf(relations);
    metadata = Map.copyOf(metadata);
  }

  /** Returns a request for the plan of a drop without relations. */
  public static TypeDropRequest plan() {
    return new TypeDropRequest(List.of(), false, false, false, Optional.empty(), false, Map.of());
  }
}
