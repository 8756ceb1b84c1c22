// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Payloads as they are sent to servers of any version. */
final class HttpNameBackendTest {

  private static final Address CRM = Address.parse("crm");

  private final List<String> bodies = Collections.synchronizedList(new ArrayList<>());
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private HttpNameBackend names(int status, String type, String answer) {
    server.createContext(
        "/",
        exchange -> {
          bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", type);
          exchange.sendResponseHeaders(status, body.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    return new HttpNameBackend(
        ServerConnection.open("http://127.0.0.1:" + server.getAddress().getPort()));
  }

  private static ConcernChange push(String payload) {
    return new ConcernChange.Push(
        Concern.CONFIG,
        ConcernValue.UNBORN,
        new ConcernValue(1, Optional.of(Payload.parse(payload))));
  }

  @Test
  void aPayloadIsSentAsTextOnlyWhereADocumentCouldRefuseOrChangeIt() {
    HttpNameBackend names = names(200, "application/json", "{}");
    String deep = "{\"a\":".repeat(40) + "1" + "}".repeat(40);
    List<String> unusual = List.of("{ \"a\" : 1 }", "{\"a\":1.50}", "{\"a\":1e400}", deep);

    assertThat(names.change(CRM, push("{\"a\":[1,{\"b\":null}]}"))).isInstanceOf(Applied.class);
    for (String payload : unusual) {
      assertThat(names.change(CRM, push(payload))).isInstanceOf(Applied.class);
    }

    assertThat(bodies.get(0))
        .isEqualTo(
            "{\"next\":{\"watermark\":1,\"payload\":{\"a\":[1,{\"b\":null}]}},"
                + "\"expected\":{\"watermark\":0,\"payload\":null}}");
    assertThat(bodies.subList(1, bodies.size()))
        .hasSize(unusual.size())
        .allSatisfy(
            body ->
                assertThat(body)
                    .contains("\"next\":{\"watermark\":1,\"payload_text\":")
                    .doesNotContain("\"payload\":{"));
  }

  @Test
  void aServerThatRefusesAPayloadIsSuspectedToBeOlder() {
    HttpNameBackend names =
        names(
            400,
            "application/problem+json",
            "{\"status\":400,\"code\":\"invalid-payload\",\"detail\":\"the payload_text doesn't say"
                + " what the payload says; leave it out\"}");

    assertThatThrownBy(() -> names.change(CRM, push("{\"a\":1.50}")))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessage(
            "the payload_text doesn't say what the payload says; leave it out; the server may be of"
                + " an earlier version than this client, compare them with 'tidemark doctor"
                + " --server'");
  }

  @Test
  void anEditIsDecidedHereWhereTheServerIsTooEarlyToKnowEditsThatAreData() {
    String record =
        """
        {"address":"crm:main","name":"crm","branch":"main","kind":"ledger","updated_at_ms":1,
         "retracted":false,"branches":0,"index_rev":0,
         "head":{"watermark":0,"payload":null},"index":{"watermark":0,"payload":null},
         "status":{"watermark":1,"payload":{"state":"ready"}},
         "config":{"watermark":0,"payload":null}}
        """;
    List<String> asked = Collections.synchronizedList(new ArrayList<>());
    server.createContext(
        "/",
        exchange -> {
          String method = exchange.getRequestMethod();
          asked.add(method + " " + exchange.getRequestHeaders().getFirst("If-Match"));
          bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          int status = method.equals("POST") ? 405 : method.equals("PUT") ? 204 : 200;
          String body =
              status == 200
                  ? record
                  : "{\"status\":405,\"code\":\"method-not-allowed\",\"detail\":\"PUT, GET\"}";
          byte[] bytes = status == 204 ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
          exchange
              .getResponseHeaders()
              .add("Content-Type", status == 405 ? "application/problem+json" : "application/json");
          exchange.getResponseHeaders().add("ETag", "\"t1\"");
          exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
          }
        });
    try (NameService names =
        new NameService(
            new HttpNameBackend(
                ServerConnection.open("http://127.0.0.1:" + server.getAddress().getPort())),
            NameOptions.standard().withoutNotifications())) {
      assertThat(names.retract(CRM).meta().retracted()).isTrue();
    }
    assertThat(asked).containsExactly("POST null", "GET null", "PUT \"t1\"");
    assertThat(bodies.get(0)).contains("\"edit\":\"retract\"");
    assertThat(bodies.get(2)).contains("\"retracted\":true");
  }
}
