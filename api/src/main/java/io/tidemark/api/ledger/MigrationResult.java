// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Migration that was done, or would be.
 *
 * @param token token of the plan
 * @param diffs differences between declared and stored types; empty if there is nothing to migrate
 * @param estimatedRows number of rows to rewrite
 * @param typesRequiringUpgraders types whose rows are rewritten
 * @param typesSchemaOnly types without rows
 * @param missingUpgraders types that need rules
 * @param applied whether it was done
 * @param rowsMigrated number of rows that were rewritten; empty for a plan
 * @param commitId the commit; empty for a plan, and if there was nothing to migrate
 * @param rows number of rows to rewrite, by type
 */
@RecordBuilder
public record MigrationResult(
    String token,
    List<TypeDifference> diffs,
    long estimatedRows,
    List<String> typesRequiringUpgraders,
    List<String> typesSchemaOnly,
    List<String> missingUpgraders,
    boolean applied,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Long> rowsMigrated,
    Optional<Long> commitId,
    Map<String, Long> rows)
    implements MigrationResultBuilder.With {

  public MigrationResult {
    diffs = List.copyOf(diffs);
    typesRequiringUpgraders = List.copyOf(typesRequiringUpgraders);
    typesSchemaOnly = List.copyOf(typesSchemaOnly);
    missingUpgraders = List.copyOf(missingUpgraders);
    rows = OrderedMaps.copyOf(rows);
  }
}
