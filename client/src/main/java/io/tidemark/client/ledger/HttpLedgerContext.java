// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.Cancellation;
import io.tidemark.api.WireJson;
import io.tidemark.client.IdempotentWriter;
import io.tidemark.client.PageIterator;
import io.tidemark.client.RetryingReader;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerRequest;
import io.tidemark.client.ServerResponse;
import io.tidemark.client.StreamedServerResponse;
import io.tidemark.names.Address;
import io.tidemark.objects.Retry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Address of a ledger with the connection to its server and the signal that ends its operations.
 *
 * @param headers headers of every request
 * @param cancellation ends operations of this use
 */
record HttpLedgerContext(
    ServerConnection connection,
    Address address,
    Map<String, String> headers,
    Cancellation cancellation) {

  HttpLedgerContext withCancellation(Cancellation other) {
    return new HttpLedgerContext(connection, address, headers, other);
  }

  IdempotentWriter writes() {
    return new IdempotentWriter(connection, Retry.standard());
  }

  /** Makes a write that may take long; see {@link IdempotentWriter#send}. */
  ServerResponse send(ServerRequest serverRequest, BooleanSupplier notMade) {
    return writes().send(serverRequest, notMade, connection::sendWithoutTimeout);
  }

  /** Makes a write that may take long and returns its result. */
  JsonNode write(ServerRequest serverRequest, BooleanSupplier notMade) {
    return send(serverRequest, notMade).orThrow().json();
  }

  /** Returns the items of all pages of a listing. */
  <T> List<T> pages(ServerRequest listing, Class<T> type) {
    return PageIterator.of(new RetryingReader(connection, Retry.standard()), listing)
        .map(item -> WireJson.read(item, type))
        .toList();
  }

  /** Returns the newest commit, 0 for none. */
  long head() {
    return head(new RetryingReader(connection, Retry.standard()).get(request("GET")));
  }

  /** Returns the newest commit that an answer tells. */
  static long head(ServerResponse serverResponse) {
    return serverResponse
        .orThrow()
        .header("ETag")
        .map(tag -> Long.parseLong(tag.replace("\"", "")))
        .orElse(0L);
  }

  /** Returns a request for a path below that of the ledger. */
  ServerRequest request(String method, String... steps) {
    List<String> path = new ArrayList<>(List.of("v1", "ledgers", address.toString()));
    path.addAll(List.of(steps));
    return ServerRequest.of(method, path.toArray(String[]::new)).headers(headers);
  }

  /** Sends a request that changes nothing, and reads the answer. */
  JsonNode read(ServerRequest serverRequest) {
    return connection.sendWithoutTimeout(serverRequest.asReadOnly(), cancellation).orThrow().json();
  }

  <T> T read(ServerRequest serverRequest, Class<T> type) {
    return WireJson.read(read(serverRequest), type);
  }

  /** Sends a request that changes nothing, and leaves the answer to be read. */
  StreamedServerResponse open(ServerRequest serverRequest) {
    StreamedServerResponse answer =
        connection.openWithoutTimeout(serverRequest.asReadOnly(), cancellation);
    if (!answer.isSuccess()) {
      throw answer.readWhole().failure();
    }
    return answer;
  }
}
