// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/**
 * Page of rows.
 *
 * @param commitId commit that this page and the next ones are as of
 * @param rows rows in their order
 * @param next cursor of the next page; empty on the last one
 * @param schema schema that the rows are shown in, as people declare it, if asked for
 * @param schemaVersions types with rows of other versions of their schema than they are shown in
 */
public record RowPage(
    long commitId,
    List<LedgerRow> rows,
    Optional<String> next,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<ObjectNode> schema,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SchemaVersionMix> schemaVersions) {

  public RowPage {
    rows = List.copyOf(rows);
    schemaVersions = List.copyOf(schemaVersions);
  }
}
