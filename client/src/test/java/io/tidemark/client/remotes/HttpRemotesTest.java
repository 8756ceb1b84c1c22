// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.remotes;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.api.remotes.FetchResult;
import io.tidemark.api.remotes.RemoteDetails;
import io.tidemark.api.remotes.RemoteRequest;
import io.tidemark.api.remotes.RemoteSummary.Follower;
import io.tidemark.client.ServerConnection;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads as many pages as a request asks for, and joins them. */
final class HttpRemotesTest {

  private static final String TRACKED =
      "{\"address\":\"%s:main\",\"commit_head\":{\"id\":\"c\",\"t\":1},\"index_head\":null,"
          + "\"retracted\":false,\"last_fetched\":\"2026-02-10T12:00:00Z\"}";
  private static final String FIRST_DETAILS =
      "{\"name\":\"x\",\"location\":\"/x\",\"upstreams\":[{\"local\":\"l\",\"there\":\"t\"}],"
          + "\"tracked\":[%s,%s],\"next\":\"more\"}"
              .formatted(TRACKED.formatted("a"), TRACKED.formatted("b"));
  private static final String SECOND_DETAILS =
      "{\"name\":\"x\",\"location\":\"/x\",\"upstreams\":[],\"tracked\":[%s]}"
          .formatted(TRACKED.formatted("c"));

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
          asked.add(
              exchange.getRequestMethod()
                  + " "
                  + target
                  + " "
                  + exchange.getRequestHeaders().getFirst("Tidemark-Hops"));
          byte[] body =
              (target.contains("cursor=more") ? second : first).getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    return new HttpRemotes(
        ServerConnection.open("http://127.0.0.1:" + server.getAddress().getPort()),
        Map.of("Tidemark-Hops", "1"));
  }

  @Test
  void allPagesOfARemote() {
    RemoteDetails all = remotes(FIRST_DETAILS, SECOND_DETAILS).get("x");
    assertThat(all.name()).isEqualTo("x");
    assertThat(all.upstreams()).containsExactly(new Follower("l", "t"));
    assertThat(all.tracked())
        .extracting(RemoteDetails.Tracked::address)
        .containsExactly("a:main", "b:main", "c:main");
    assertThat(all.next()).isEmpty();
    assertThat(asked)
        .containsExactly(
            "GET /v1/remotes/x?limit=1000 1", "GET /v1/remotes/x?limit=1000&cursor=more 1");
  }

  @Test
  void aPartOfARemoteBehindACursor() {
    RemoteDetails part =
        remotes(SECOND_DETAILS, FIRST_DETAILS).get(new RemoteRequest("x", 2, Optional.of("more")));
    assertThat(part.tracked()).hasSize(2);
    assertThat(part.next()).contains("more");
    assertThat(asked).containsExactly("GET /v1/remotes/x?limit=2&cursor=more 1");
  }

  @Test
  void allPagesOfAFetch() {
    HttpRemotes remotes =
        remotes(
            "{\"remote\":\"x\",\"updated\":[\"a\"],\"unchanged\":[],\"pruned\":[],\"next\":\"more\"}",
            "{\"remote\":\"x\",\"updated\":[\"c\"],\"unchanged\":[\"d\"],\"pruned\":[\"b\"]}");
    assertThat(remotes.fetch("x"))
        .isEqualTo(
            new FetchResult("x", List.of("a", "c"), List.of("d"), List.of("b"), Optional.empty()));
    assertThat(asked)
        .containsExactly(
            "POST /v1/remotes/x/fetch?limit=1000 1",
            "POST /v1/remotes/x/fetch?limit=1000&cursor=more 1");
  }
}
