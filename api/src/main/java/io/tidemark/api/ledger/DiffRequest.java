// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.OptionalLong;

/**
 * Comparison of two states. A state is a commit ({@code 7}; 0 is the empty state before the first),
 * a branch ({@code dev}), a commit of a branch ({@code dev@7}), or nothing or {@code head} for the
 * newest commit.
 *
 * @param from first state
 * @param to second state
 * @param stat whether only to count the rows that differ
 * @param schemaAsOfCommit commit of the second state's branch in whose schemas rows are compared;
 *     empty for the current ones
 */
@RecordBuilder
public record DiffRequest(String from, String to, boolean stat, OptionalLong schemaAsOfCommit)
    implements DiffRequestBuilder.With {

  /** Returns the comparison of two states. */
  public static DiffRequest of(String from, String to) {
    return new DiffRequest(from, to, false, OptionalLong.empty());
  }
}
