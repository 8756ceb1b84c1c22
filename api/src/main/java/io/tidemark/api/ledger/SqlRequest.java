// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * SQL statement on the types of a ledger, each of which is a table.
 *
 * @param sql one SELECT of DuckDB's
 * @param parameters a scalar for each {@code ?}
 * @param asOf past state; empty for the current one
 * @param schemaAsOfCommit commit in whose schemas rows are shown; empty for the current ones
 * @param explain whether to describe how the statement is answered
 * @param maxRows maximum number of rows; more are an error. Empty for the usual maximum, which
 *     Parquet files don't have
 * @param memoryMegabytes memory that the statement may take
 * @param timeoutMillis time limit
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record SqlRequest(
    String sql,
    List<JsonNode> parameters,
    @JsonProperty("asOf") Optional<AsOf> asOf,
    @JsonProperty("schemaAsOfCommit") OptionalLong schemaAsOfCommit,
    boolean explain,
    @JsonProperty("maxRows") OptionalLong maxRows,
    @JsonProperty("memoryMegabytes") OptionalLong memoryMegabytes,
    @JsonProperty("timeoutMillis") OptionalLong timeoutMillis)
    implements SqlRequestBuilder.With {

  public SqlRequest {
    parameters = List.copyOf(parameters);
  }

  /** Returns a statement on the current state. */
  public static SqlRequest of(String sql) {
    return new SqlRequest(
        sql,
        List.of(),
        Optional.empty(),
        OptionalLong.empty(),
        false,
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty());
  }
}
