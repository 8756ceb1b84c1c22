// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.features;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.Page;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.FeatureContext;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerRequest;
import io.tidemark.client.ServerResponse;
import io.tidemark.client.StreamedServerResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Connection to a server that has features, with the context of operations.
 *
 * @param headers headers of every request, beside those of the context
 */
record FeatureServer(
    ServerConnection connection, Map<String, String> headers, FeatureContext context) {

  /** Maximum number of items of one answer. */
  static final int PAGE = 1000;

  private static final int NOT_FOUND = 404;

  /** Source of the pages of a listing. */
  @FunctionalInterface
  interface Pages<T> {
    Page<T> page(int limit, Optional<String> cursor);
  }

  /** Returns a request that neither reads features nor writes them, such as one for the log. */
  ServerRequest request(String method, String... steps) {
    SortedMap<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(headers);
    context.requestId().ifPresent(id -> all.put("X-Request-Id", id));
    ServerRequest serverRequest = ServerRequest.of(method, steps);
    for (Map.Entry<String, String> header : all.entrySet()) {
      serverRequest = serverRequest.header(header.getKey(), header.getValue());
    }
    return serverRequest;
  }

  /** Returns a request that reads features, whatever its method. */
  ServerRequest reading(String method, String... steps) {
    ServerRequest serverRequest = request(method, steps).asReadOnly();
    return context.minTxn().isPresent()
        ? serverRequest.query("minTxn", Long.toString(context.minTxn().getAsLong()))
        : serverRequest;
  }

  /** Returns a request that writes on behalf of an application and a person. */
  ServerRequest writing(String method, String... steps) {
    ServerRequest serverRequest = request(method, steps);
    if (context.app().isPresent()) {
      serverRequest = serverRequest.header("Tidemark-App", encoded(context.app().get()));
    }
    return context.author().isPresent()
        ? serverRequest.header("Tidemark-Author", encoded(context.author().get()))
        : serverRequest;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Returns the result of a request. */
  <T> T send(ServerRequest serverRequest, Class<T> type) {
    return WireJson.read(json(serverRequest), type);
  }

  /** Returns the document that a request is answered with. */
  JsonNode json(ServerRequest serverRequest) {
    return connection.send(serverRequest).orThrow().json();
  }

  /** Returns the result of a request for work that takes as long as it takes. */
  <T> T sendPatiently(ServerRequest serverRequest, Class<T> type) {
    return WireJson.read(connection.sendWithoutTimeout(serverRequest).orThrow().json(), type);
  }

  /** Returns the result of a request; empty if what its path names isn't there. */
  <T> Optional<T> find(ServerRequest serverRequest, Class<T> type) {
    ServerResponse serverResponse = connection.send(serverRequest);
    return serverResponse.status() == NOT_FOUND && serverResponse.code().equals("not-found")
        ? Optional.empty()
        : Optional.of(WireJson.read(serverResponse.orThrow().json(), type));
  }

  /** Sends a request and leaves the answer to be read, until the context is cancelled. */
  StreamedServerResponse open(ServerRequest serverRequest) {
    StreamedServerResponse answer =
        connection.openWithoutTimeout(serverRequest, context.cancellation());
    if (!answer.isSuccess()) {
      throw answer.readWhole().failure();
    }
    return answer;
  }

  /** Returns a request for a part of a listing. */
  static ServerRequest part(ServerRequest listing, int limit, Optional<String> cursor) {
    ServerRequest limited = listing.query("limit", Integer.toString(limit));
    return cursor.map(place -> limited.query("cursor", place)).orElse(limited);
  }

  /** Returns one page of any length, made of as many pages of the server as it takes. */
  static <T> Page<T> pages(int limit, Optional<String> cursor, Pages<T> source) {
    List<T> items = new ArrayList<>();
    Optional<String> next = cursor;
    do {
      Page<T> page = source.page(Math.min(PAGE, limit - items.size()), next);
      items.addAll(page.items());
      next = page.next();
    } while (next.isPresent() && items.size() < limit);
    return new Page<>(items, next);
  }
}
