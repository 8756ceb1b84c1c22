// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Head of the answer to an SQL statement.
 *
 * @param commitId commit that the answer is as of
 * @param columns types of the columns as DuckDB calls them, by their names, in order
 * @param schemaVersions types with rows of other versions of their schema than they are shown in
 */
public record SqlHeader(
    long commitId,
    Map<String, String> columns,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SchemaVersionMix> schemaVersions) {

  public SqlHeader {
    columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
    schemaVersions = List.copyOf(schemaVersions);
  }
}
