// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Extent of an export.
 *
 * @param types types to export; empty for all
 * @param asOf past state; empty for the current one
 * @param historySince commit after which every version is exported
 * @param schemaAsOfCommit commit in whose schemas rows are written; empty for the current ones
 * @param withMetadata whether each line has the commit that wrote the row
 */
@RecordBuilder
public record ExportRequest(
    List<String> types,
    Optional<AsOf> asOf,
    OptionalLong historySince,
    OptionalLong schemaAsOfCommit,
    boolean withMetadata)
    implements ExportRequestBuilder.With {

  public ExportRequest {
    types = List.copyOf(types);
  }

  /** Returns the export of all rows as they are. */
  public static ExportRequest all() {
    return new ExportRequest(
        List.of(), Optional.empty(), OptionalLong.empty(), OptionalLong.empty(), false);
  }
}
