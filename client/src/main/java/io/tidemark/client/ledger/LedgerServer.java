// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.Cancellation;
import io.tidemark.api.WireJson;
import io.tidemark.client.Connection;
import io.tidemark.client.Request;
import io.tidemark.client.StreamedAnswer;
import io.tidemark.names.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Address of a ledger with the connection to its server and the signal that ends its operations.
 *
 * @param cancellation ends operations of this use
 */
record LedgerServer(Connection connection, Address address, Cancellation cancellation) {

  private static final int PAGE = 1000;

  LedgerServer until(Cancellation other) {
    return new LedgerServer(connection, address, other);
  }

  /** Returns a request for a path below that of the ledger. */
  Request request(String method, String... steps) {
    List<String> path = new ArrayList<>(List.of("v1", "ledgers", address.toString()));
    path.addAll(List.of(steps));
    return Request.of(method, path.toArray(String[]::new));
  }

  /** Sends a request that changes nothing, and reads the answer. */
  JsonNode read(Request request) {
    return connection.sendPatiently(request.reading(), cancellation).orThrow().json();
  }

  <T> T read(Request request, Class<T> type) {
    return WireJson.read(read(request), type);
  }

  /** Sends a request that changes nothing, and leaves the answer to be read. */
  StreamedAnswer open(Request request) {
    StreamedAnswer answer = connection.openPatiently(request.reading(), cancellation);
    if (!answer.isSuccess()) {
      throw answer.whole().failure();
    }
    return answer;
  }

  /** Passes on the items of all pages of a listing. */
  void list(Request listing, Consumer<JsonNode> items) {
    Request limited = listing.query("limit", Integer.toString(PAGE));
    Optional<String> cursor = Optional.empty();
    do {
      JsonNode page = read(cursor.map(next -> limited.query("cursor", next)).orElse(limited));
      page.path("items").forEach(items);
      cursor = Optional.ofNullable(page.path("next").textValue());
    } while (cursor.isPresent());
  }
}
