// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import java.util.List;
import java.util.Optional;

/**
 * What became of a batch.
 *
 * @param rows for each write, in the order in which they were given
 * @param warnings what was wrong with states that were replaced all the same, such as one that came
 *     past the triggers and has no uuid: what became of it can't be followed then
 */
public record BatchResult(List<RowResult> rows, List<String> warnings) {

  public BatchResult {
    rows = List.copyOf(rows);
    warnings = List.copyOf(warnings);
  }

  /** Returns whether all was done. If not, it is up to the caller whether to keep the rest. */
  public boolean done() {
    return firstProblem().isEmpty();
  }

  /** The first that wasn't done. */
  public Optional<RowResult> firstProblem() {
    return rows.stream().filter(row -> !row.done()).findFirst();
  }
}
