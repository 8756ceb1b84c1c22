// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Drop of a type that was done, or would be.
 *
 * @param affectedTypes the type and the relations that go with it
 * @param rows number of rows of each of them
 * @param token token of the plan; empty if it was done
 * @param commitId the commit; empty for a plan
 */
public record TypeDropResult(
    List<String> affectedTypes,
    Map<String, Long> rows,
    boolean purgeHistory,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> token,
    boolean applied,
    Optional<Long> commitId) {

  public TypeDropResult {
    affectedTypes = List.copyOf(affectedTypes);
    rows = OrderedMaps.copyOf(rows);
  }
}
