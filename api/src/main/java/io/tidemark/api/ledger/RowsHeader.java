// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * Head of a stream of rows.
 *
 * @param commitId commit that the rows are as of
 * @param schemaVersions types with rows of other versions of their schema than they are shown in
 */
public record RowsHeader(
    long commitId,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SchemaVersionMix> schemaVersions) {

  public RowsHeader {
    schemaVersions = List.copyOf(schemaVersions);
  }
}
