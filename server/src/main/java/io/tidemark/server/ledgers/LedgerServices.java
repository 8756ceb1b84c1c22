// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.api.ledger.LedgerService;
import io.tidemark.client.Connection;
import io.tidemark.client.ledger.HttpLedgers;
import io.tidemark.embed.ledger.EmbeddedLedgers;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Forwarding;

/** Services of the ledgers that calls are about. */
@FunctionalInterface
public interface LedgerServices {

  /** Returns the service of the ledger in the path of a call. */
  LedgerService of(Call call);

  /** Returns services that do the work in this process. */
  static LedgerServices of(EmbeddedLedgers ledgers) {
    return call -> ledgers.ledger(LedgerRoutes.address(call).toString());
  }

  /** Returns services of another server, which this one stands before. */
  static LedgerServices of(Connection upstream) {
    HttpLedgers ledgers = new HttpLedgers(upstream);
    return call -> ledgers.ledger(LedgerRoutes.address(call).toString(), Forwarding.onward(call));
  }
}
