// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import io.tidemark.api.Cancellation;
import io.tidemark.objects.StoreAccessException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Connection to one server: one request a call, with a time limit, never made twice. An answer is
 * returned whatever its status; see {@link ServerResponse#orThrow}. Without an answer a call ends
 *
 * <ul>
 *   <li>with {@link io.tidemark.objects.StoreUnavailableException} when the request was certainly
 *       not sent, or only reads;
 *   <li>with {@link io.tidemark.objects.OutcomeUnknownException} when it may have been carried out.
 * </ul>
 *
 * <p>Nothing needs to be closed: connections are kept for the whole process and end when they are
 * idle. It may be used by any number of threads.
 */
public final class ServerConnection {

  /** Longest timeout, of a day. */
  private static final Duration PATIENCE = Duration.ofDays(1);

  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** Follows no redirection, which would take a token elsewhere. */
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(CONNECT)
          .build();

  private final ServerLocation server;
  private final Optional<BearerToken> token;

  /**
   * Creates a connection to a server.
   *
   * @throws StoreAccessException when the token would be sent over an unencrypted connection
   */
  public ServerConnection(ServerLocation server, Optional<BearerToken> token) {
    this.server = server;
    this.token = token;
    if (token.isPresent() && !server.isConfidential() && !server.insecure()) {
      throw new StoreAccessException(
          "a token would go to %s for everybody on the way to read; use https, or add"
                  .formatted(server.base())
              + " ?insecure=true to the location if nobody listens there");
    }
  }

  /** Returns a connection with the token that the location or the environment names, if they do. */
  public static ServerConnection open(String location) {
    ServerLocation server = ServerLocation.parse(location);
    Optional<BearerToken> token =
        server.tokenFile().map(BearerToken::ofFile).or(BearerToken::ofEnvironment);
    return new ServerConnection(server, token);
  }

  /** Returns the location of the server. */
  public ServerLocation server() {
    return server;
  }

  /** Asks, and reads the answer whole. */
  public ServerResponse send(ServerRequest serverRequest) {
    return send(serverRequest, new Cancellation());
  }

  /** Sends a request as {@link #send(Request)} does, unless it is cancelled. */
  public ServerResponse send(ServerRequest serverRequest, Cancellation cancellation) {
    HttpResponse<byte[]> response =
        exchange(serverRequest, BodyHandlers.ofByteArray(), limit(serverRequest), cancellation);
    return new ServerResponse(
        serverRequest, response.statusCode(), response.headers(), response.body());
  }

  /** Sends a request that takes as long as it takes, such as a load. */
  public ServerResponse sendWithoutTimeout(ServerRequest serverRequest) {
    return sendWithoutTimeout(serverRequest, new Cancellation());
  }

  /** Sends a request that takes as long as it takes, unless it is cancelled. */
  public ServerResponse sendWithoutTimeout(ServerRequest serverRequest, Cancellation cancellation) {
    HttpResponse<byte[]> response =
        exchange(serverRequest, BodyHandlers.ofByteArray(), PATIENCE, cancellation);
    return new ServerResponse(
        serverRequest, response.statusCode(), response.headers(), response.body());
  }

  /**
   * Sends a change that may be repeated, under an idempotency key, again while it is unknown what
   * became of it.
   */
  public ServerResponse sendIdempotent(ServerRequest serverRequest) {
    return sendIdempotent(serverRequest, UUID.randomUUID().toString());
  }

  /** Sends a change that may be repeated, under a key of the caller's own. */
  public ServerResponse sendIdempotent(ServerRequest serverRequest, String key) {
    return new IdempotentWriter(this, HttpNameBackend.defaultRetry())
        .send(serverRequest, key, () -> true);
  }

  /** Asks, and leaves the body of the answer to be read. */
  public StreamedServerResponse open(ServerRequest serverRequest) {
    HttpResponse<InputStream> response =
        exchange(serverRequest, BodyHandlers.ofInputStream(), limit(serverRequest));
    InputStream body = new ReadTimeoutStream(response.body(), server.timeout());
    return new StreamedServerResponse(
        serverRequest, response.statusCode(), response.headers(), body);
  }

  /**
   * Sends a request whose answer begins when it begins, and leaves its body to be read; cancelling
   * ends both.
   */
  public StreamedServerResponse openWithoutTimeout(
      ServerRequest serverRequest, Cancellation cancellation) {
    HttpResponse<InputStream> response =
        exchange(serverRequest, BodyHandlers.ofInputStream(), PATIENCE, cancellation);
    InputStream body =
        new CancellableStream(
            new ReadTimeoutStream(response.body(), server.timeout()), cancellation);
    return new StreamedServerResponse(
        serverRequest, response.statusCode(), response.headers(), body);
  }

  private <T> HttpResponse<T> exchange(
      ServerRequest serverRequest, BodyHandler<T> handler, Duration patience) {
    return exchange(serverRequest, handler, patience, new Cancellation());
  }

  private <T> HttpResponse<T> exchange(
      ServerRequest serverRequest,
      BodyHandler<T> handler,
      Duration patience,
      Cancellation cancellation) {
    cancellation.check();
    CompletableFuture<HttpResponse<T>> coming = HTTP.sendAsync(http(serverRequest), handler);
    try (Cancellation.Registration unused = cancellation.onCancel(why -> coming.cancel(true))) {
      // Not by a time limit of the request's, which ends with the head of the answer.
      return coming.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      coming.cancel(true);
      IOException late = new IOException("nothing for " + patience.toMillis() + " ms", e);
      throw TransportFailures.incompleteResponse(serverRequest, late);
    } catch (CancellationException e) {
      cancellation.check();
      throw e;
    } catch (InterruptedException e) {
      coming.cancel(true);
      Thread.currentThread().interrupt();
      throw TransportFailures.incompleteResponse(
          serverRequest, new IOException("the thread was interrupted", e));
    } catch (ExecutionException e) {
      cancellation.check(); // which may end the exchange before the future
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw TransportFailures.noResponse(serverRequest, server, cause);
    }
  }

  /** A body may take the time that it takes at a megabyte a second. */
  private Duration limit(ServerRequest serverRequest) {
    return server.timeout().plusMillis(Math.max(0, serverRequest.body().contentLength()) / 1000);
  }

  private HttpRequest http(ServerRequest serverRequest) {
    HttpRequest.Builder http =
        HttpRequest.newBuilder(URI.create(server.base() + serverRequest.target()))
            .method(serverRequest.method(), serverRequest.body());
    if (!serverRequest.headers().isEmpty()) {
      http.headers(serverRequest.headers().toArray(String[]::new));
    }
    token.ifPresent(t -> http.header("Authorization", t.authorization()));
    return http.build();
  }

  /** Where, and never with what token. */
  @Override
  public String toString() {
    return server.toString();
  }
}
