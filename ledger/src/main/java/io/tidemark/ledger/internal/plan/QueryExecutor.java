// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.plan;

import io.tidemark.ledger.query.plan.Window;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * Executor of plans. All executors give the same answers:
 *
 * <ol>
 *   <li>Rows come in the order of the plan; those equal in it by commit where each version is a
 *       row, and then by identity.
 *   <li>Groups come in the order of their keys, part by part, what has no value last.
 *   <li>Sums of doubles may differ in their last digits, since additions take any order.
 * </ol>
 */
public interface QueryExecutor {

  /** Returns the rows of a plan; the caller closes the stream. */
  Stream<MatchedRow> rows(QueryPlan queryPlan);

  /** Returns the groups of a plan that has a grouping; exactly one when it groups by nothing. */
  List<Group> groups(QueryPlan queryPlan);

  /**
   * Returns how many rows of a type that a plan looks at are of each version of its schema, 0 for
   * rows that don't say.
   */
  SortedMap<Long, Long> versions(QueryPlan queryPlan, TypeView type, Window window);
}
