// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * Compaction that was done, or would be.
 *
 * @param planned files that are merged
 * @param overtaken merges that failed because another program compacted or dropped the type
 */
public record CompactionResult(
    List<Merge> planned,
    boolean applied,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Merge> overtaken) {

  /**
   * Files of a type that become one.
   *
   * @param entryCount number of files
   * @param rows number of rows in them
   */
  public record Merge(
      String kind, String typeName, int entryCount, long minCommitId, long maxCommitId, long rows) {

    /** Returns the type, such as {@code entity:Customer}. */
    public String type() {
      return kind + ":" + typeName;
    }
  }

  @SuppressWarnings("RedundantNullCheck") // JSON without the member
  public CompactionResult {
    planned = List.copyOf(planned);
    overtaken = overtaken == null ? List.of() : List.copyOf(overtaken);
  }
}
