// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * Number of rows.
 *
 * @param schemaVersions types with rows of other versions of their schema than they are shown in
 */
public record RowCount(
    long count, @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SchemaVersionMix> schemaVersions) {

  public RowCount {
    schemaVersions = List.copyOf(schemaVersions);
  }
}
