// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.Cancellation;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.AdoptResult;
import io.tidemark.api.ledger.InitPlan;
import io.tidemark.api.ledger.InitRequest;
import io.tidemark.api.ledger.InitResult;
import io.tidemark.api.ledger.LedgerCatalog;
import io.tidemark.api.ledger.LedgerEntry;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.client.IdempotentWriter;
import io.tidemark.client.PageIterator;
import io.tidemark.client.RetryingReader;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerRequest;
import io.tidemark.names.Address;
import io.tidemark.objects.Retry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Ledgers of a server. */
public final class HttpLedgers implements LedgerCatalog {

  private final ServerConnection serverConnection;

  /** Ledgers of the server at the other end of a connection. */
  public HttpLedgers(ServerConnection serverConnection) {
    this.serverConnection = serverConnection;
  }

  /** Returns the service of a ledger. */
  public LedgerService ledger(String address) {
    return ledger(address, Map.of());
  }

  /** Returns the service of a ledger whose requests have these headers. */
  public LedgerService ledger(String address, Map<String, String> headers) {
    return new HttpLedger(
        new HttpLedgerContext(
            serverConnection, Address.parse(address), headers, new Cancellation()));
  }

  @Override
  public Stream<LedgerEntry> list(String prefix) {
    ServerRequest listing = ServerRequest.get("v1", "ledgers").query("prefix", prefix);
    return PageIterator.of(new RetryingReader(serverConnection, Retry.standard()), listing)
        .map(item -> WireJson.read(item, LedgerEntry.class));
  }

  @Override
  public InitPlan plan(InitRequest request) {
    return WireJson.read(
        send(body(request).put("dryRun", true).without(List.of("force", "token")), () -> true),
        InitPlan.class);
  }

  /**
   * Creates a ledger. After a lost answer, the absence of the ledger shows that it wasn't created,
   * unless one was to be replaced.
   */
  @Override
  public InitResult init(InitRequest request) {
    return WireJson.read(
        send(body(request), () -> request.token().isEmpty() && !plan(request).alreadyInitialized()),
        InitResult.class);
  }

  @Override
  public AdoptResult adopt(String ledger, Optional<String> objects) {
    ObjectNode body =
        body(new InitRequest(ledger, objects, Optional.empty())).put("existing", true);
    return WireJson.read(send(body, () -> true), AdoptResult.class);
  }

  private static ObjectNode body(InitRequest request) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("ledger", request.ledger());
    request.objects().ifPresent(location -> body.put("objects", location));
    request.token().ifPresent(token -> body.put("force", true).put("token", token));
    return body;
  }

  private JsonNode send(JsonNode body, BooleanSupplier notMade) {
    return new IdempotentWriter(serverConnection, Retry.standard())
        .send(
            ServerRequest.of("POST", "v1", "ledgers").json(body),
            notMade,
            serverConnection::sendWithoutTimeout)
        .orThrow()
        .json();
  }
}
