// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.ledger.RowInput;
import io.tidemark.objects.JsonErrors;
import io.tidemark.server.http.HttpRequestContext;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Request body of rows, read as it arrives.
 *
 * @param schema declared types, if the first line declares them
 */
record RowBody(RowInput rows, Optional<JsonNode> schema) {

  private static final String NAME = "the body";

  /** Returns whether the body of a call has media type JSON lines. */
  static boolean isLines(HttpRequestContext httpRequestContext) {
    return httpRequestContext
        .header("Content-Type")
        .filter(type -> type.startsWith(StreamedResponses.LINES))
        .isPresent();
  }

  /** Opens the body of a call, and reads its declared types, which precede the rows. */
  static RowBody of(HttpRequestContext httpRequestContext) throws IOException {
    InputStream body = httpRequestContext.stream();
    if (!httpRequestContext.flag("declares")) {
      return new RowBody(rows(body, httpRequestContext), Optional.empty());
    }
    InputStream buffered = new BufferedInputStream(body);
    return new RowBody(
        rows(buffered, httpRequestContext), Optional.of(declared(buffered, httpRequestContext)));
  }

  private static RowInput rows(InputStream body, HttpRequestContext httpRequestContext) {
    return RowInput.of(body, NAME).withMaxRowLength(httpRequestContext.limits().recordLength());
  }

  private static JsonNode declared(InputStream body, HttpRequestContext httpRequestContext)
      throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = body.read(); next >= 0 && next != '\n'; next = body.read()) {
      if (line.size() == httpRequestContext.limits().recordLength()) {
        throw HttpRequestContext.invalid(
            "the first line of the body is longer than a document may be");
      }
      line.write(next);
    }
    try {
      return httpRequestContext.json().readTree(line.toByteArray());
    } catch (JsonProcessingException e) {
      throw HttpRequestContext.invalid(
          "the first line of the body declares no types: " + JsonErrors.reason(e));
    }
  }
}
