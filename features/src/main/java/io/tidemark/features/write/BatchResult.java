// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import java.util.List;
import java.util.Optional;

/**
 * Result of a batch.
 *
 * @param rows for each write, in the order in which they were given
 * @param warnings flaws of states that were replaced all the same, such as one that bypassed the
 *     triggers and has no uuid, so that its successor can't be linked to it
 */
public record BatchResult(List<RowResult> rows, List<String> warnings) {

  public BatchResult {
    rows = List.copyOf(rows);
    warnings = List.copyOf(warnings);
  }

  /** Returns whether all writes were done. If not, the caller decides whether to keep the rest. */
  public boolean done() {
    return firstProblem().isEmpty();
  }

  /** Returns the first write that wasn't done. */
  public Optional<RowResult> firstProblem() {
    return rows.stream().filter(row -> !row.done()).findFirst();
  }
}
