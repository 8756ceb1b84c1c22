// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import java.util.List;
import java.util.Optional;

/**
 * What became of a batch.
 *
 * @param rows for each write, in the order in which they were given
 */
public record WriteResult(List<RowResult> rows) {

  public WriteResult {
    rows = List.copyOf(rows);
  }

  /** Whether all was done. If not, it is up to the caller whether to keep the rest. */
  public boolean done() {
    return firstProblem().isEmpty();
  }

  /** The first that wasn't done. */
  public Optional<RowResult> firstProblem() {
    return rows.stream().filter(row -> !row.done()).findFirst();
  }
}
