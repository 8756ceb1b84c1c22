// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.remotes;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.api.Page;
import io.tidemark.api.WireJson;
import io.tidemark.api.remotes.CloneRequest;
import io.tidemark.api.remotes.FetchResult;
import io.tidemark.api.remotes.RemoteDetails;
import io.tidemark.api.remotes.RemoteLocation;
import io.tidemark.api.remotes.RemoteRequest;
import io.tidemark.api.remotes.RemoteService;
import io.tidemark.api.remotes.RemoteSummary;
import io.tidemark.api.remotes.RemoteTransfers;
import io.tidemark.api.remotes.RemovedRemote;
import io.tidemark.api.remotes.TransferProgress;
import io.tidemark.api.remotes.TransferRequest;
import io.tidemark.api.remotes.TransferResult;
import io.tidemark.client.ProgressStreamReader;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerRequest;
import io.tidemark.client.ServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Remotes of a server, which fetches, pulls and pushes itself. */
public final class HttpRemotes implements RemoteService, RemoteTransfers {

  /** Largest page of a listing. */
  private static final int PAGE = 1_000;

  private final ServerConnection serverConnection;
  private final Map<String, String> headers;

  public HttpRemotes(ServerConnection serverConnection) {
    this(serverConnection, Map.of());
  }

  /**
   * Remotes of the server at the other end of a connection.
   *
   * @param headers headers of every request
   */
  public HttpRemotes(ServerConnection serverConnection, Map<String, String> headers) {
    this.serverConnection = serverConnection;
    this.headers = Map.copyOf(headers);
  }

  private ServerRequest request(String method, String... steps) {
    List<String> path = new ArrayList<>(List.of("v1"));
    path.addAll(List.of(steps));
    return ServerRequest.of(method, path.toArray(String[]::new)).headers(headers);
  }

  private JsonNode send(ServerRequest serverRequest) {
    return serverConnection.send(serverRequest).orThrow().json();
  }

  @Override
  public List<RemoteSummary> list() {
    return WireJson.read(
            send(request("GET", "remotes")), new TypeReference<Page<RemoteSummary>>() {})
        .items();
  }

  @Override
  public RemoteDetails get(RemoteRequest request) {
    List<RemoteDetails> parts =
        read(
            request,
            request("GET", "remotes", request.remote()),
            serverConnection::send,
            page -> WireJson.read(page, RemoteDetails.class));
    RemoteDetails first = parts.get(0);
    return new RemoteDetails(
        first.name(),
        first.location(),
        first.upstreams(),
        joined(parts, RemoteDetails::tracked),
        parts.get(parts.size() - 1).next());
  }

  @Override
  public RemoteLocation add(String remote, String location) {
    JsonNode body = JsonNodeFactory.instance.objectNode().put("location", location);
    return WireJson.read(send(request("PUT", "remotes", remote).json(body)), RemoteLocation.class);
  }

  @Override
  public RemovedRemote remove(String remote) {
    return WireJson.read(send(request("DELETE", "remotes", remote)), RemovedRemote.class);
  }

  @Override
  public FetchResult fetch(RemoteRequest request) {
    List<FetchResult> parts =
        read(
            request,
            request("POST", "remotes", request.remote(), "fetch"),
            serverConnection::sendWithoutTimeout,
            page -> WireJson.read(page, FetchResult.class));
    return new FetchResult(
        request.remote(),
        joined(parts, FetchResult::updated),
        joined(parts, FetchResult::unchanged),
        joined(parts, FetchResult::pruned),
        parts.get(parts.size() - 1).next());
  }

  /** Reads as many pages of the server as the requested part has. */
  private static <T> List<T> read(
      RemoteRequest part,
      ServerRequest listing,
      Function<ServerRequest, ServerResponse> server,
      Function<JsonNode, T> reader) {
    List<T> pages = new ArrayList<>();
    Optional<String> cursor = part.cursor();
    int left = part.limit();
    do {
      int size = Math.min(left, PAGE);
      ServerRequest limited = listing.query("limit", Integer.toString(size));
      JsonNode page =
          server
              .apply(cursor.map(place -> limited.query("cursor", place)).orElse(limited))
              .orThrow()
              .json();
      pages.add(reader.apply(page));
      cursor = Optional.ofNullable(page.path("next").textValue());
      left -= size;
    } while (cursor.isPresent() && left > 0);
    return pages;
  }

  private static <P, T> List<T> joined(List<P> parts, Function<P, List<T>> items) {
    return parts.stream().flatMap(part -> items.apply(part).stream()).toList();
  }

  @Override
  public RemoteTransfers transfers() {
    return this;
  }

  @Override
  public TransferResult push(TransferRequest request, Consumer<TransferProgress> listener) {
    return transfer("push", request, listener);
  }

  @Override
  public TransferResult pull(TransferRequest request, Consumer<TransferProgress> listener) {
    return transfer("pull", request, listener);
  }

  @Override
  public TransferResult cloneLedger(CloneRequest request, Consumer<TransferProgress> listener) {
    return transfer("clone", request, listener);
  }

  private TransferResult transfer(
      String verb, Object request, Consumer<TransferProgress> listener) {
    return WireJson.read(
        ProgressStreamReader.follow(
            serverConnection,
            request("POST", verb).json(WireJson.tree(request)),
            line -> listener.accept(WireJson.read(line, TransferProgress.class))),
        TransferResult.class);
  }
}
