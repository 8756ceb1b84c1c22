// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreUnavailableException;

/** Requests that change nothing, made again while the server can't be reached. */
public final class Reads {

  private final Connection connection;
  private final Retry retry;

  public Reads(Connection connection, Retry retry) {
    this.connection = connection;
    this.retry = retry;
  }

  /** The answer, whatever it is but a refusal for the moment. */
  public Answer get(Request request) {
    Retry.Backoff backoff = retry.start();
    while (true) {
      StoreUnavailableException failure;
      try {
        Answer answer = connection.send(request);
        if (answer.status() < 500
            || !(answer.failure() instanceof StoreUnavailableException unavailable)) {
          return answer;
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
