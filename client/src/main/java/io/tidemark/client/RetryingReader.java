// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreUnavailableException;

/** Sender of read-only requests, which retries while the server can't be reached. */
public final class RetryingReader {

  private final ServerConnection serverConnection;
  private final Retry retry;

  public RetryingReader(ServerConnection serverConnection, Retry retry) {
    this.serverConnection = serverConnection;
    this.retry = retry;
  }

  /** Returns the answer, whatever it is but a refusal for the moment. */
  public ServerResponse get(ServerRequest serverRequest) {
    Retry.Backoff backoff = retry.start();
    while (true) {
      StoreUnavailableException failure;
      try {
        ServerResponse serverResponse = serverConnection.send(serverRequest);
        if (serverResponse.status() < 500
            || !(serverResponse.failure() instanceof StoreUnavailableException unavailable)) {
          return serverResponse;
        }
        failure = unavailable;
      } catch (StoreUnavailableException e) {
        failure = e;
      }
      if (!backoff.pause()) {
        throw failure;
      }
    }
  }
}
