// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.Cancellation;
import io.tidemark.api.WireJson;
import io.tidemark.client.Answer;
import io.tidemark.client.Connection;
import io.tidemark.client.Pages;
import io.tidemark.client.Reads;
import io.tidemark.client.Request;
import io.tidemark.client.StreamedAnswer;
import io.tidemark.client.Writes;
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
record LedgerServer(
    Connection connection,
    Address address,
    Map<String, String> headers,
    Cancellation cancellation) {

  LedgerServer until(Cancellation other) {
    return new LedgerServer(connection, address, headers, other);
  }

  Writes writes() {
    return new Writes(connection, Retry.standard());
  }

  /** Makes a write that may take long; see {@link Writes#send}. */
  Answer answer(Request request, BooleanSupplier notMade) {
    return writes().send(request, notMade, connection::sendPatiently);
  }

  /** Makes a write that may take long and returns its result. */
  JsonNode write(Request request, BooleanSupplier notMade) {
    return answer(request, notMade).orThrow().json();
  }

  /** Returns the items of all pages of a listing. */
  <T> List<T> pages(Request listing, Class<T> type) {
    return Pages.of(new Reads(connection, Retry.standard()), listing)
        .map(item -> WireJson.read(item, type))
        .toList();
  }

  /** Returns the newest commit, 0 for none. */
  long head() {
    return head(new Reads(connection, Retry.standard()).get(request("GET")));
  }

  /** Returns the newest commit that an answer tells. */
  static long head(Answer answer) {
    return answer
        .orThrow()
        .header("ETag")
        .map(tag -> Long.parseLong(tag.replace("\"", "")))
        .orElse(0L);
  }

  /** Returns a request for a path below that of the ledger. */
  Request request(String method, String... steps) {
    List<String> path = new ArrayList<>(List.of("v1", "ledgers", address.toString()));
    path.addAll(List.of(steps));
    return Request.of(method, path.toArray(String[]::new)).headers(headers);
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
}
