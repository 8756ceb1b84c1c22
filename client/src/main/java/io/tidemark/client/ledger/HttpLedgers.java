// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import io.tidemark.api.Cancellation;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.LedgerCatalog;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.ListedLedger;
import io.tidemark.client.Connection;
import io.tidemark.client.Pages;
import io.tidemark.client.Reads;
import io.tidemark.client.Request;
import io.tidemark.names.Address;
import io.tidemark.objects.Retry;
import java.util.stream.Stream;

/** Ledgers of a server. */
public final class HttpLedgers implements LedgerCatalog {

  private final Connection connection;

  /** Ledgers of the server at the other end of a connection. */
  public HttpLedgers(Connection connection) {
    this.connection = connection;
  }

  /** Returns the service of a ledger. */
  public LedgerService ledger(String address) {
    return new HttpLedger(new LedgerServer(connection, Address.parse(address), new Cancellation()));
  }

  @Override
  public Stream<ListedLedger> list(String prefix) {
    Request listing = Request.get("v1", "ledgers").query("prefix", prefix);
    return Pages.of(new Reads(connection, Retry.standard()), listing)
        .map(item -> WireJson.read(item, ListedLedger.class));
  }
}
