// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.names.Marker;
import java.util.Optional;

/** The marker of the store that the server has. Its versions are the tags of the server. */
final class HttpMarker implements Marker {

  private final Reads reads;
  private final Writes writes;

  HttpMarker(Reads reads, Writes writes) {
    this.reads = reads;
    this.writes = writes;
  }

  @Override
  public Reading read(Optional<String> known) {
    Request request = Request.get("v1", "marker");
    Answer answer =
        reads.get(known.map(tag -> request.header("If-None-Match", tag)).orElse(request));
    return switch (answer.status()) {
      case 304 -> Unchanged.UNCHANGED;
      case 204 -> Blank.BLANK;
      default -> {
        String text = answer.orThrow().json().path("text").asText();
        yield new Says(answer.header("ETag").orElse(""), text);
      }
    };
  }

  /** The server tells others what moved. */
  @Override
  public boolean writesItself() {
    return true;
  }

  @Override
  public Optional<String> write(Optional<String> known, String text) {
    Request request =
        Request.of("PUT", "v1", "marker")
            .json(JsonNodeFactory.instance.objectNode().put("text", text));
    Answer answer =
        writes.send(
            known
                .map(tag -> request.header("If-Match", tag))
                .orElseGet(() -> request.header("If-None-Match", "*")),
            () -> false);
    return answer.status() == 412
        ? Optional.empty()
        : Optional.of(answer.orThrow().header("ETag").orElse(""));
  }
}
