// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.api.ledger.LedgerService;
import io.tidemark.server.http.Call;

/** Services of the ledgers that routes are about. */
@FunctionalInterface
public interface LedgerServices {

  /** Returns the service of a ledger, by its address. */
  LedgerService ledger(String address);

  /** Returns the service of the ledger in the path of a call. */
  default LedgerService of(Call call) {
    return ledger(LedgerRoutes.address(call).toString());
  }
}
