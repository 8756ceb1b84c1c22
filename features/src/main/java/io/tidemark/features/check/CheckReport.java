// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.check;

import java.util.List;

/**
 * Result of checking a collection.
 *
 * @param collection its id
 * @param features number of features, without deleted ones
 * @param states number of stored states, each counted once
 * @param flaws the first hundred of each kind; empty when the collection is consistent
 */
public record CheckReport(String collection, long features, long states, List<Flaw> flaws) {

  public CheckReport {
    flaws = List.copyOf(flaws);
  }

  /** Returns whether no flaw was found. */
  public boolean isConsistent() {
    return flaws.isEmpty();
  }
}
