// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Rows to be made true in one commit.
 *
 * @param rows the rows; each gives all fields of one entity or relation
 * @param type type of all rows, if they don't name it: {@code Customer}, or {@code
 *     relation:Customer} where an entity has the same name
 * @param schema declared types, one or a list; types that the ledger doesn't have are entered
 * @param message kept in the metadata of the commit as {@code message}
 * @param metadata kept with the commit
 * @param expected expected newest commit, 0 for none; empty for any
 * @param maxRows maximum number of rows; empty for no limit
 */
@RecordBuilder
public record CommitRequest(
    RowInput rows,
    Optional<String> type,
    Optional<JsonNode> schema,
    Optional<String> message,
    Map<String, String> metadata,
    OptionalLong expected,
    OptionalLong maxRows)
    implements CommitRequestBuilder.With {

  public CommitRequest {
    metadata = Map.copyOf(metadata);
  }

  /** Returns a request to commit rows that name their types. */
  public static CommitRequest of(RowInput rows) {
    return new CommitRequest(
        rows,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  /** Returns a request to commit rows of one type. */
  public static CommitRequest of(String type, RowInput rows) {
    return of(rows).withType(Optional.of(type));
  }
}
