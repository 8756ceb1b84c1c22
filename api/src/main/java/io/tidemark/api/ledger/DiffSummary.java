// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;

/**
 * Counts of the rows that differ between two states.
 *
 * @param from first state, as branch@commit
 * @param to second state, as branch@commit
 * @param ancestor newest commit that both have
 * @param counts numbers of rows that differ, by type
 * @param schemaVersions types with rows of other versions of their schema than they are shown in
 * @param purged types that can't be compared
 */
public record DiffSummary(
    String from,
    String to,
    Optional<Long> ancestor,
    List<TypeCounts> counts,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SchemaVersionMix> schemaVersions,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PurgedType> purged) {

  public DiffSummary {
    counts = List.copyOf(counts);
    schemaVersions = List.copyOf(schemaVersions);
    purged = List.copyOf(purged);
  }

  /** Numbers of rows of a type that differ. */
  public record TypeCounts(
      String typeKind, String typeName, long inserted, long changed, long removed) {}
}
