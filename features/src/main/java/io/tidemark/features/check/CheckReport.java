// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.check;

import java.util.List;

/**
 * What a look at a collection has found.
 *
 * @param collection its id
 * @param features how many features it has, without those that are deleted
 * @param states how many states are kept, each counted once
 * @param flaws the first hundred of each kind; empty when all is well
 */
public record CheckReport(String collection, long features, long states, List<Flaw> flaws) {

  public CheckReport {
    flaws = List.copyOf(flaws);
  }

  /** Whether all is well. */
  public boolean isConsistent() {
    return flaws.isEmpty();
  }
}
