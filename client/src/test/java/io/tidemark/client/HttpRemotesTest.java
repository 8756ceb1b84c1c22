// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What comes in pages is read to its end, and is one. */
final class HttpRemotesTest {

  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
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

  private HttpRemotes remotes(String first, String second) {
    server.createContext(
        "/",
        exchange -> {
          String target = exchange.getRequestURI().toString();
          asked.add(exchange.getRequestMethod() + " " + target);
          byte[] body =
              (target.contains("cursor=more") ? second : first).getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    return HttpRemotes.at(
        "http://127.0.0.1:" + server.getAddress().getPort(), (commits, of, bytes) -> {});
  }

  @Test
  void whatARemoteHas() {
    HttpRemotes remotes =
        remotes(
            "{\"name\":\"x\",\"upstreams\":[{\"local\":\"l\"}],\"tracked\":[1,2],\"next\":\"more\"}",
            "{\"name\":\"x\",\"upstreams\":[],\"tracked\":[3]}");
    assertThat(remotes.get("x").toString())
        .isEqualTo("{\"name\":\"x\",\"upstreams\":[{\"local\":\"l\"}],\"tracked\":[1,2,3]}");
    assertThat(asked)
        .containsExactly(
            "GET /v1/remotes/x?limit=1000", "GET /v1/remotes/x?limit=1000&cursor=more");
  }

  @Test
  void whatIsFetched() {
    HttpRemotes remotes =
        remotes(
            "{\"remote\":\"x\",\"updated\":[\"a\"],\"pruned\":[],\"next\":\"more\"}",
            "{\"remote\":\"x\",\"updated\":[\"c\"],\"pruned\":[\"b\"]}");
    assertThat(remotes.fetch("x").toString())
        .isEqualTo("{\"remote\":\"x\",\"updated\":[\"a\",\"c\"],\"pruned\":[\"b\"]}");
    assertThat(asked)
        .containsExactly(
            "POST /v1/remotes/x/fetch?limit=1000",
            "POST /v1/remotes/x/fetch?limit=1000&cursor=more");
  }
}
