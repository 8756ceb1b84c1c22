// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import java.util.Optional;
import java.util.stream.Stream;

/** Ledgers of a Tidemark. */
public interface LedgerCatalog {

  /** Lists the ledgers and branches whose names start with this, by name. The caller closes it. */
  Stream<LedgerEntry> list(String prefix);

  /** Returns the plan for making a ledger, with the token to begin anew where there is one. */
  InitPlan plan(InitRequest request);

  /** Makes an empty ledger and its name. With a token it begins anew where there is one. */
  InitResult init(InitRequest request);

  /**
   * Gives a name to a ledger that exists, and names to its branches.
   *
   * @param objects location of its objects, see {@link InitRequest#objects()}
   */
  AdoptResult adopt(String ledger, Optional<String> objects);
}
