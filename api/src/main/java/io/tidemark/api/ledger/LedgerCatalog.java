// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import java.util.stream.Stream;

/** Ledgers of a Tidemark. */
public interface LedgerCatalog {

  /** Lists the ledgers and branches whose names start with this, by name. The caller closes it. */
  Stream<ListedLedger> list(String prefix);
}
