// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import io.tidemark.api.Cancellation;
import io.tidemark.client.Connection;
import io.tidemark.client.Request;
import io.tidemark.names.Address;
import java.util.ArrayList;
import java.util.List;

/**
 * Address of a ledger with the connection to its server and the signal that ends its operations.
 *
 * @param cancellation ends operations of this use
 */
record LedgerServer(Connection connection, Address address, Cancellation cancellation) {

  LedgerServer until(Cancellation other) {
    return new LedgerServer(connection, address, other);
  }

  /** Returns a request for a path below that of the ledger. */
  Request request(String method, String... steps) {
    List<String> path = new ArrayList<>(List.of("v1", "ledgers", address.toString()));
    path.addAll(List.of(steps));
    return Request.of(method, path.toArray(String[]::new));
  }
}
