// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.server.OpenApiResponseValidator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;

/** A question that is answered later. */
final class LongPoll {

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final CompletableFuture<HttpResponse<String>> answer;

  private LongPoll(CompletableFuture<HttpResponse<String>> answer) {
    this.answer = answer;
  }

  static LongPoll begin(URI uri) {
    HttpRequest request = HttpRequest.newBuilder(uri).header("Accept", "application/json").build();
    return new LongPoll(HTTP.sendAsync(request, BodyHandlers.ofString()));
  }

  JsonNode json() {
    try {
      HttpResponse<String> response = answer.join();
      OpenApiResponseValidator.check(response.request(), response);
      return new JsonMapper().readTree(response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
