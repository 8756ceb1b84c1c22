// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import java.util.List;

/**
 * Transactions in the order of their sequence numbers.
 *
 * @param items the transactions; a server leaves out those that its caller may not see
 * @param after sequence number after which the next are
 */
public record FeatureChanges(List<FeatureTransaction> items, long after) {

  public FeatureChanges {
    items = List.copyOf(items);
  }
}
