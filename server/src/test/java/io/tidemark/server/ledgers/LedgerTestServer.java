// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.NameService;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.resources.ServerResources;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A server on names and ledgers in a directory, and what tests ask of it. */
final class LedgerTestServer implements AutoCloseable {

  static final String SCHEMA =
      """
      [{"entity":"Customer","key":"id","fields":
         {"id":"string","age":"long","tier":{"type":"string","index":true},"note":"any"}},
       {"entity":"Plan","key":"id","fields":{"id":"string","price":"long"}},
       {"relation":"Uses","left":"Customer","right":"Plan","fields":{"seats":"long"}}]
      """;

  final NameService names;
  final RunningServer server;

  LedgerTestServer(Path directory) {
    this(directory, settings -> settings);
  }

  LedgerTestServer(Path directory, UnaryOperator<ServerSettings> more) {
    this(directory, AccessControl.localOnly(), more);
  }

  LedgerTestServer(
      Path directory, AccessControl accessControl, UnaryOperator<ServerSettings> more) {
    names = NameService.open(directory.resolve("data").toString());
    ServerSettings settings =
        ServerSettings.standard()
            .withLedgers(
                LedgerSettings.standard().withCache(Optional.of(directory.resolve("cache"))));
    server = new RunningServer(ServerResources.of(names), accessControl, more.apply(settings));
  }

  /** With a ledger that has the types and three customers. */
  LedgerTestServer withCustomers() {
    return withCustomers("crm");
  }

  LedgerTestServer withCustomers(String name) {
    assertThat(post("/v1/ledgers", "{\"ledger\":\"" + name + "\"}").statusCode()).isEqualTo(201);
    assertThat(
            post(
                    "/v1/ledgers/" + name + "/commits",
                    """
                    {"type":"Customer","message":"first","metadata":{"ticket":"1"},"schema":%s,
                     "rows":[{"id":"c1","age":30,"tier":"Gold","note":1},
                             {"id":"c2","age":40,"tier":"Silver","note":null},
                             {"id":"c3","age":50,"tier":"Gold","note":9007199254740993}]}
                    """
                        .formatted(SCHEMA))
                .statusCode())
        .isEqualTo(201);
    return this;
  }

  HttpResponse<String> get(String path) {
    return server.get(path);
  }

  HttpResponse<String> post(String path, String body) {
    return server.send("POST", path, body);
  }

  HttpResponse<String> send(String method, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri(path)).method(method, BodyPublishers.ofString(body));
    return server.send((headers.length == 0 ? request : request.headers(headers)).build());
  }

  JsonNode json(HttpResponse<String> response) {
    return RunningServer.json(response);
  }

  /** The answer to a question that is fine. */
  JsonNode ask(String body) {
    HttpResponse<String> response = post("/v1/ledgers/crm/query", body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return json(response);
  }

  List<String> keys(JsonNode page) {
    return page.path("rows").findValuesAsText("key");
  }

  /** The code of a problem, with its status. */
  String problem(HttpResponse<String> response) {
    return response.statusCode() + " " + json(response).path("code").asText();
  }

  @Override
  public void close() {
    server.close();
    names.close();
  }
}
