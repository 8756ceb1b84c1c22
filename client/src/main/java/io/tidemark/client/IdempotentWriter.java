// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sender of requests that change something, each carried out once. Requests carry an idempotency
 * key by which the server remembers their outcome; so after a lost answer the same request is sent
 * again, and is answered as the first one was.
 *
 * <p>A server that doesn't know the key of such a request doesn't carry it out: it was restarted,
 * or never got the first one. Then only the state itself can tell. If it shows that the write can't
 * have been made, it is sent as new, still under its key, should the first one be on its way.
 * Otherwise the outcome is unknown.
 */
public final class IdempotentWriter {

  private final ServerConnection serverConnection;
  private final Retry retry;

  public IdempotentWriter(ServerConnection serverConnection, Retry retry) {
    this.serverConnection = serverConnection;
    this.retry = retry;
  }

  /**
   * Makes a write.
   *
   * @param notMade looks whether what is stored shows that it wasn't made, and can't be made twice
   * @return the answer, whatever it is but a refusal for the moment
   * @throws OutcomeUnknownException when it may have been made
   */
  public ServerResponse send(ServerRequest serverRequest, BooleanSupplier notMade) {
    return send(serverRequest, UUID.randomUUID().toString(), notMade);
  }

  /** Makes a write under a key of the caller's own. */
  ServerResponse send(ServerRequest serverRequest, String key, BooleanSupplier notMade) {
    return send(serverRequest, key, notMade, serverConnection::send);
  }

  /**
   * Makes a write as {@link #send(Request, BooleanSupplier)} does.
   *
   * @param sender sends a request once; any other failure than those of a connection ends the write
   */
  public ServerResponse send(
      ServerRequest serverRequest,
      BooleanSupplier notMade,
      Function<ServerRequest, ServerResponse> sender) {
    return send(serverRequest, UUID.randomUUID().toString(), notMade, sender);
  }

  private ServerResponse send(
      ServerRequest serverRequest,
      String key,
      BooleanSupplier notMade,
      Function<ServerRequest, ServerResponse> sender) {
    ServerRequest first = serverRequest.header("Idempotency-Key", key);
    ServerRequest again = first.header("Tidemark-Sent-Before", "true");
    Retry.Backoff backoff = retry.start();
    @Nullable OutcomeUnknownException doubt = null;
    while (true) {
      Optional<ServerResponse> answer = Optional.empty();
      TidemarkException failure;
      try {
        answer = Optional.of(sender.apply(doubt == null ? first : again));
        if (answer.get().isSuccess()) {
          return answer.get();
        }
        failure = answer.get().failure();
      } catch (OutcomeUnknownException | StoreUnavailableException e) {
        failure = e;
      }
      boolean forgotten = answer.map(ServerResponse::code).equals(Optional.of("unknown-write"));
      if (doubt != null && forgotten) {
        if (!notMade.getAsBoolean()) {
          throw doubt;
        }
        doubt = null;
        continue;
      }
      if (answer.isPresent() && !isTransient(answer.get(), failure)) {
        return answer.get();
      }
      if (failure instanceof OutcomeUnknownException lost) {
        doubt = lost;
      }
      if (!backoff.pause()) {
        throw doubt != null ? doubt : failure;
      }
    }
  }

  /** Returns whether it is worth asking again: not what the server itself can't find out. */
  private static boolean isTransient(ServerResponse serverResponse, TidemarkException failure) {
    return switch (serverResponse.code()) {
      case "outcome-unknown" -> false;
      case "idempotency-in-progress" -> true; // the first is still being carried out
      default ->
          failure instanceof StoreUnavailableException
              || failure instanceof OutcomeUnknownException;
    };
  }
}
