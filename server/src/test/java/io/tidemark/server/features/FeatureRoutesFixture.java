// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.Features;
import io.tidemark.names.NameService;
import io.tidemark.server.RunningServer;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the tests of the routes of features share: a server with a storage, and small requests. */
@ExtendWith(ServerExtension.class)
abstract class FeatureRoutesFixture {

  private static final AtomicInteger NUMBER = new AtomicInteger();

  static Features features;
  static RunningServer server;

  @BeforeAll
  static void start(PostgresServer postgres) {
    features = Features.open(postgres.createDatabase(), "store");
    server = new RunningServer(holdings());
  }

  static ServerResources holdings() {
    ServerResources names = ServerResources.of(NameService.open("memory:"));
    return new ServerResources(names.names(), names.objects(), Optional.of(features));
  }

  @AfterAll
  static void stop() {
    server.close();
    features.close();
  }

  /** A new collection, in one table, which is quicker to make. */
  static String collection() {
    String id = "c" + NUMBER.incrementAndGet();
    assertThat(server.send("PUT", "/v1/collections/" + id, "{\"partitioned\": false}").statusCode())
        .isEqualTo(201);
    return id;
  }

  static String point(String id, String name) {
    return ("{\"type\": \"Feature\", \"id\": \"%s\", \"geometry\": {\"type\": \"Point\","
            + " \"coordinates\": [8.5, 50.25]}, \"properties\": {\"name\": \"%s\"}}")
        .formatted(id, name);
  }

  static String all(String collection) {
    return "/v1/collections/" + collection + "/features";
  }

  static JsonNode ok(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
    return RunningServer.json(response);
  }

  static JsonNode problem(int status, String code, HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    JsonNode problem = RunningServer.json(response);
    assertThat(problem.path("code").asText()).isEqualTo(code);
    assertThat(response.body()).doesNotContain("Exception").doesNotContain("org.postgresql");
    return problem;
  }

  static JsonNode put(String collection, String id, String name) {
    return ok(server.send("PUT", all(collection) + "/" + id, point(id, name)));
  }

  /** A request with headers, names and values in turn. */
  static HttpResponse<String> send(String method, String path, String body, String... headers) {
    return server.send(
        HttpRequest.newBuilder(server.uri(path))
            .method(method, BodyPublishers.ofString(body))
            .headers(headers)
            .build());
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  static String uuid(JsonNode feature) {
    return xyz(feature).path("uuid").asText();
  }

  static JsonNode xyz(JsonNode feature) {
    return feature.path("properties").path("@ns:com:here:xyz");
  }

  static String ids(JsonNode collection) {
    return String.join(
        " ",
        StreamSupport.stream(collection.path("features").spliterator(), false)
            .map(feature -> feature.path("id").asText())
            .toList());
  }
}
