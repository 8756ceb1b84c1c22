// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import io.tidemark.ledger.query.plan.Explanation;
import java.util.List;

/**
 * Explanation of how a replica answers a query.
 *
 * @param fed the files that had to be read to bring it up to the query's head
 * @param course how it went
 */
public record ReplicaExplanation(
    String sql, List<Explanation.File> fed, Explanation.Execution course) {

  public ReplicaExplanation {
    fed = List.copyOf(fed);
  }
}
