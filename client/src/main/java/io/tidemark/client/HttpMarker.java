// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.names.ChangeMarker;
import java.util.Optional;

/** The marker of the store that the server has. Its versions are the tags of the server. */
final class HttpMarker implements ChangeMarker {

  private final RetryingReader retryingReader;
  private final IdempotentWriter idempotentWriter;

  HttpMarker(RetryingReader retryingReader, IdempotentWriter idempotentWriter) {
    this.retryingReader = retryingReader;
    this.idempotentWriter = idempotentWriter;
  }

  @Override
  public State read(Optional<String> known) {
    ServerRequest serverRequest = ServerRequest.get("v1", "marker");
    ServerResponse serverResponse =
        retryingReader.get(
            known.map(tag -> serverRequest.header("If-None-Match", tag)).orElse(serverRequest));
    return switch (serverResponse.status()) {
      case 304 -> Unchanged.UNCHANGED;
      case 204 -> Absent.BLANK;
      default -> {
        String text = serverResponse.orThrow().json().path("text").asText();
        yield new Current(serverResponse.header("ETag").orElse(""), text);
      }
    };
  }

  /** Returns true: the server announces changes to other processes. */
  @Override
  public boolean isSelfUpdating() {
    return true;
  }

  @Override
  public Optional<String> write(Optional<String> known, String text) {
    ServerRequest serverRequest =
        ServerRequest.of("PUT", "v1", "marker")
            .json(JsonNodeFactory.instance.objectNode().put("text", text));
    ServerResponse serverResponse =
        idempotentWriter.send(
            known
                .map(tag -> serverRequest.header("If-Match", tag))
                .orElseGet(() -> serverRequest.header("If-None-Match", "*")),
            () -> false);
    return serverResponse.status() == 412
        ? Optional.empty()
        : Optional.of(serverResponse.orThrow().header("ETag").orElse(""));
  }
}
