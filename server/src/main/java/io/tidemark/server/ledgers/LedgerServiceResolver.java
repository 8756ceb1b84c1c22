// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.api.ledger.LedgerService;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ledger.HttpLedgers;
import io.tidemark.embed.ledger.EmbeddedLedgers;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.RequestForwarder;

/** Resolver of the ledger service for a call. */
@FunctionalInterface
public interface LedgerServiceResolver {

  /** Returns the service of the ledger in the path of a call. */
  LedgerService of(HttpRequestContext httpRequestContext);

  /** Returns a resolver of services that do the work in this process. */
  static LedgerServiceResolver of(EmbeddedLedgers ledgers) {
    return httpRequestContext ->
        ledgers.ledger(LedgerRoutes.address(httpRequestContext).toString());
  }

  /** Returns a resolver of services of another server, for which this server is a front. */
  static LedgerServiceResolver of(ServerConnection upstream) {
    HttpLedgers ledgers = new HttpLedgers(upstream);
    return httpRequestContext ->
        ledgers.ledger(
            LedgerRoutes.address(httpRequestContext).toString(),
            RequestForwarder.forwarded(httpRequestContext));
  }
}
