// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.testkit.process.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A server in a process of its own, and somebody who asks it.
 *
 * @param process the process
 * @param told what it said about itself when it began to listen
 */
record ServerProcess(ChildJvm process, JsonNode told) implements AutoCloseable {

  /** A type for commits. */
  static final String ITEM =
      "{\"entity\":\"Item\",\"key\":\"id\",\"fields\":{\"id\":\"string\",\"n\":\"long\"}}";

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final JsonMapper JSON = new JsonMapper();

  /** Starts one, and waits until it listens. */
  static ServerProcess on(Map<String, String> properties, String... words) {
    ChildJvm process =
        ChildJvm.start(
            properties,
            TidemarkCommand.class,
            Stream.of(List.of("serve", "--port", "0", "--json"), List.of(words))
                .flatMap(List::stream)
                .toArray(String[]::new));
    try {
      String told =
          process.nextLine().orElseThrow(() -> new AssertionError("it ended: " + process.errors()));
      return new ServerProcess(process, JSON.readTree(told));
    } catch (IOException e) {
      process.close();
      throw new UncheckedIOException(e);
    }
  }

  URI at(String path) {
    return URI.create(told.path("address").asText() + path);
  }

  /** The answer to a request that has to succeed. */
  JsonNode ask(String method, String path, String body) {
    try {
      return JSON.readTree(answer(method, path, body));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same of what is no JSON. */
  String text(String path) {
    return answer("GET", path, "");
  }

  private String answer(String method, String path, String body) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(at(path)).method(method, BodyPublishers.ofString(body)).build();
      HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
      assertThat(response.statusCode()).as(response.body()).isBetween(200, 201);
      return response.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  JsonNode get(String path) {
    return ask("GET", path, "");
  }

  JsonNode post(String path, String body) {
    return ask("POST", path, body);
  }

  /** What it has logged but requests. */
  List<String> warnings() {
    return process.errors().stream().filter(line -> !line.contains("caller=")).toList();
  }

  /** What is committed to make an item so. */
  static String item(String id, long n) {
    return "{\"type\":\"Item\",\"schema\":%s,\"rows\":[{\"id\":\"%s\",\"n\":%d}]}"
        .formatted(ITEM, id, n);
  }

  @Override
  public void close() {
    process.close();
  }
}
