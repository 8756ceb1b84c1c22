// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import io.tidemark.objects.Body;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.UploadStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.function.Function;

/**
 * An object on its way to the server. Small ones are read first, so that one that isn't what it
 * says is never sent; large ones are streamed, and break off before their end, which no server
 * takes for whole.
 */
final class OutgoingBody implements AutoCloseable {

  private static final int IN_MEMORY = 1 << 20;

  private final String key;
  private final UploadStream stream;
  private final BodyPublisher publisher;

  private OutgoingBody(String key, UploadStream stream, BodyPublisher publisher) {
    this.key = key;
    this.stream = stream;
    this.publisher = publisher;
  }

  static OutgoingBody open(String key, Body body) {
    try {
      UploadStream stream = UploadStream.open(body);
      if (body.length() <= IN_MEMORY) {
        try (stream) {
          byte[] bytes = stream.readAllBytes();
          return new OutgoingBody(key, stream, BodyPublishers.ofByteArray(bytes));
        }
      }
      BodyPublisher streamed = BodyPublishers.ofInputStream(() -> stream);
      return new OutgoingBody(key, stream, BodyPublishers.fromPublisher(streamed, body.length()));
    } catch (IOException e) {
      throw broken(key, e);
    }
  }

  BodyPublisher publisher() {
    return publisher;
  }

  /** Sends a request with it; a body that broke off is the failure, whatever else is said. */
  ServerResponse send(
      ServerRequest serverRequest, Function<ServerRequest, ServerResponse> connection) {
    try {
      ServerResponse serverResponse = connection.apply(serverRequest);
      requireWhole();
      return serverResponse;
    } catch (TidemarkException e) {
      requireWhole();
      throw e;
    }
  }

  private void requireWhole() {
    stream
        .failure()
        .ifPresent(
            e -> {
              throw broken(key, e);
            });
  }

  private static StoreFailureException broken(String key, IOException e) {
    return new StoreFailureException(key + " wasn't written: " + e.getMessage(), e);
  }

  @Override
  public void close() {
    try {
      stream.close();
    } catch (IOException e) {
      // Every byte that was needed has been read.
    }
  }
}
