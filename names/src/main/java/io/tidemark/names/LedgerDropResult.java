// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.List;

/**
 * Result of dropping a whole ledger.
 *
 * @param outcome the outcome
 * @param branches the branches that this drop retracted or purged, in the order in which it did
 */
public record LedgerDropResult(Outcome outcome, List<Address> branches) {

  /** Outcome of dropping the ledger. */
  public enum Outcome {
    /** The branches of the ledger are retracted, or removed. */
    DROPPED,
    /** All its branches were retracted before. */
    ALREADY_RETRACTED
  }

  public LedgerDropResult {
    branches = List.copyOf(branches);
  }
}
