// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

import io.tidemark.ledger.schema.SchemaDiff;
import io.tidemark.ledger.schema.TypeId;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.LongPredicate;

/**
 * Plan of a migration.
 *
 * @param diffs differences of the declared types from the stored ones; empty when there is nothing
 *     to do
 * @param estimatedRows number of rows to rewrite, for each type that differs
 * @param missingUpgraders types that have rows, and no upgrader from their present version
 */
public record MigrationPlan(
    List<SchemaDiff> diffs,
    PlanToken token,
    SortedMap<TypeId, Long> estimatedRows,
    SortedSet<TypeId> missingUpgraders) {

  /** Returns types whose rows have to be rewritten. */
  public List<TypeId> requiringUpgraders() {
    return with(rows -> rows > 0);
  }

  /** Returns types without rows, of which only the schema changes. */
  public List<TypeId> schemaOnly() {
    return with(rows -> rows == 0);
  }

  private List<TypeId> with(LongPredicate rows) {
    return estimatedRows.entrySet().stream()
        .filter(type -> rows.test(type.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }
}
