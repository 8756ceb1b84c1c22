// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.client.ServerConnection;
import io.tidemark.names.NameService;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import io.tidemark.server.http.Limits;
import io.tidemark.server.resources.ServerResources;
import java.io.ByteArrayInputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that passes features on does what the other one does. */
final class ForwardedFeaturesTest extends HttpFeatureServiceTest {

  private static RunningServer between;

  @BeforeAll
  static void forward() {
    between = forwarder(AccessControl.localOnly());
  }

  private static RunningServer forwarder(AccessControl accessControl) {
    return forwarder(accessControl, ServerSettings.standard());
  }

  private static RunningServer forwarder(AccessControl accessControl, ServerSettings settings) {
    ServerConnection upstream = ServerConnection.open(server.server().address().toString());
    return new RunningServer(
        ServerResources.of(NameService.open("memory:")).withUpstream(upstream),
        accessControl,
        settings);
  }

  @AfterAll
  static void close() {
    between.close();
  }

  @Override
  RunningServer asked() {
    return between;
  }

  private static HttpResponse<String> ask(String method, String path, String... headers) {
    return between.send(
        HttpRequest.newBuilder(between.uri(path))
            .headers(headers)
            .method(method, BodyPublishers.noBody())
            .build());
  }

  @Test
  void filesGoThroughInBothDirections() {
    String lines = point("a", "x") + "\n" + point("b/c d", "y") + "\n";
    String collection = "/v1/collections/through";
    HttpRequest load =
        HttpRequest.newBuilder(
                between.uri(
                    collection + "/load?format=geojsonseq&create=%7B%22partitioned%22:false%7D"))
            .POST(unmeasured(lines))
            .build();
    assertThat(ok(between.send(load)).path("loaded").asInt()).isEqualTo(2);
    assertThat(between.get(collection + "/export").body()).hasLineCount(2).contains("b/c d");
    HttpResponse<String> head =
        ask("HEAD", collection + "/export?format=geoparquet", "Accept", "*/*");
    assertThat(head.headers().firstValue("Tidemark-Features")).contains("2");
    HttpResponse<String> one = between.get(collection + "/features/b%2Fc%20d");
    assertThat(ok(one).path("properties").path("name").asText()).isEqualTo("y");
    String tag = one.headers().firstValue("ETag").orElseThrow();
    assertThat(ask("GET", collection + "/features/b%2Fc%20d", "If-None-Match", tag).statusCode())
        .isEqualTo(
            server
                .send(
                    HttpRequest.newBuilder(server.uri(collection + "/features/b%2Fc%20d"))
                        .header("If-None-Match", tag)
                        .build())
                .statusCode());
    problem(404, "collection-not-found", between.get("/v1/collections/nowhere"));
    problem(400, "invalid-request", between.get(collection + "/features?nonsense=1"));
  }

  @Test
  void underAKeyALoadIsNoLongerThanItMayBeHere() {
    String lines = point("a", "x") + "\n" + point("b", "y") + "\n";
    String load =
        "/v1/collections/keyed/load?format=geojsonseq&create=%7B%22partitioned%22:false%7D";
    try (RunningServer strict =
        forwarder(
            AccessControl.localOnly(),
            ServerSettings.standard()
                .withLimits(Limits.standard().withBodyBytes(lines.length())))) {
      for (BodyPublisher longer :
          List.of(BodyPublishers.ofString(lines + "\n"), unmeasured(lines + "\n"))) {
        problem(413, "too-large", strict.send(keyed(strict, load, longer)));
      }
      problem(404, "collection-not-found", server.get("/v1/collections/keyed"));
      HttpRequest fits = keyed(strict, load, unmeasured(lines));
      assertThat(ok(strict.send(fits)).path("loaded").asInt()).isEqualTo(2);
      assertThat(strict.send(fits).headers().firstValue("Idempotency-Replayed")).contains("true");
    }
  }

  private static HttpRequest keyed(RunningServer to, String path, BodyPublisher body) {
    return HttpRequest.newBuilder(to.uri(path))
        .header("Idempotency-Key", "k" + body.contentLength())
        .POST(body)
        .build();
  }

  /** A body whose length nobody says. */
  private static BodyPublisher unmeasured(String text) {
    return BodyPublishers.ofInputStream(
        () -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void whatGoesInCirclesEnds() {
    for (String path : new String[] {"/v1/collections", "/v1/changes"}) {
      assertThat(ask("GET", path, "Tidemark-Hops", "7").statusCode()).isEqualTo(200);
      problem(508, "loop-detected", ask("GET", path, "Tidemark-Hops", "8"));
    }
  }

  @Test
  void changesAreFollowedThroughIt() throws Exception {
    String collection = collection();
    long last = ok(server.send("POST", "/v1/transactions/sequence", "")).path("last").asLong();
    CompletableFuture<HttpResponse<String>> poll =
        CompletableFuture.supplyAsync(() -> between.get("/v1/changes?wait=60s&after=" + last));
    HttpResponse<Stream<String>> stream =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(between.uri("/v1/changes"))
                    .header("Accept", "text/event-stream")
                    .header("Last-Event-ID", Long.toString(last))
                    .build(),
                BodyHandlers.ofLines());
    try (Stream<String> body = stream.body()) {
      Iterator<String> lines = body.iterator();
      assertThat(lines.next()).isEqualTo("retry: 1000");
      // Both, and who asks.
      await().until(() -> between.gauge("tidemark_http_active") == 3);
      for (int i = 1; i <= 2; i++) {
        put(collection, "a", "x" + i);
        ok(server.send("POST", "/v1/transactions/sequence", ""));
        String line = lines.next();
        while (!line.startsWith("data: ")) {
          line = lines.next();
        }
        assertThat(line).contains("\"seq_number\":" + (last + i));
      }
    }
    JsonNode told = RunningServer.json(poll.get(60, TimeUnit.SECONDS));
    assertThat(told.path("items").get(0).path("seq_number").asLong()).isEqualTo(last + 1);
    problem(410, "log-gone", between.get("/v1/changes?wait=60s&after=" + (last + 1000)));
    assertThat(ok(between.get("/v1/changes?wait=1ms&after=" + (last + 2))).path("items")).isEmpty();
  }

  @Test
  void whoMayReadSomeOfItIsToldOfNothingElse(@TempDir Path directory) throws Exception {
    String mine = collection();
    String others = collection();
    TokenRecord.NewToken newToken =
        TokenRecord.create(
            "ann", Grant.parse("read:features/" + mine), Instant.now(), Optional.empty());
    Path file = directory.resolve("tokens");
    new TokenFile(file).add(newToken.token());
    try (RunningServer asking =
        forwarder(AccessControl.of(AccessSettings.none().withTokens(file)))) {
      for (String path : new String[] {all(mine), "/v1/collections/" + mine}) {
        assertThat(status(asking, newToken, path)).isEqualTo(200);
      }
      for (String path :
          new String[] {all(others), "/v1/collections/" + others, "/v1/guids/s:" + others + ":x"}) {
        assertThat(status(asking, newToken, path)).as(path).isIn(400, 403, 404);
      }
      assertThat(told(asking, newToken, "/v1/collections").findValuesAsText("id"))
          .containsExactly(mine);
      ok(server.send("POST", "/v1/transactions/sequence", ""));
      for (String path : new String[] {"/v1/transactions?limit=1000", "/v1/changes?after=0"}) {
        JsonNode told = told(asking, newToken, path);
        assertThat(told.path("items").toString())
            .contains('"' + mine + '"')
            .doesNotContain('"' + others + '"');
      }
    }
  }

  @Test
  void whoMayReadNothingOfItIsToldNothing(@TempDir Path directory) throws Exception {
    TokenRecord.NewToken newToken =
        TokenRecord.create("ann", Grant.parse("read:names/crm"), Instant.now(), Optional.empty());
    Path file = directory.resolve("tokens");
    new TokenFile(file).add(newToken.token());
    String there = collection();
    try (RunningServer asking =
        forwarder(AccessControl.of(AccessSettings.none().withTokens(file)))) {
      for (String path :
          new String[] {
            all(there), "/v1/collections", "/v1/transactions", "/v1/changes", "/v1/guids/x"
          }) {
        assertThat(status(asking, newToken, path)).as(path).isIn(403, 404);
      }
    }
  }

  @Test
  void aWriteUnderAKeyIsDoneOnceWhicheverServerPassesItOn() {
    String collection = collection();
    try (RunningServer other = forwarder(AccessControl.localOnly())) {
      for (RunningServer passing : List.of(between, other)) {
        HttpRequest put =
            HttpRequest.newBuilder(passing.uri(all(collection) + "/a"))
                .header("Idempotency-Key", "once")
                .PUT(BodyPublishers.ofString(point("a", "x")))
                .build();
        assertThat(passing.send(put).statusCode()).isEqualTo(201);
      }
    }
    assertThat(ok(server.get(all(collection) + "/a/history")).path("features")).hasSize(1);
  }

  private static int status(RunningServer of, TokenRecord.NewToken token, String path) {
    return answer(of, token, path).statusCode();
  }

  private static JsonNode told(RunningServer of, TokenRecord.NewToken token, String path) {
    return ok(answer(of, token, path));
  }

  private static HttpResponse<String> answer(
      RunningServer of, TokenRecord.NewToken token, String path) {
    return of.send(
        HttpRequest.newBuilder(of.uri(path))
            .header("Authorization", "Bearer " + token.secret())
            .build());
  }

  @Test
  void whoWaitsDoesNotHoldUpOneThatStops() throws Exception {
    long last = ok(server.send("POST", "/v1/transactions/sequence", "")).path("last").asLong();
    CompletableFuture<HttpResponse<String>> waiting;
    try (RunningServer other = forwarder(AccessControl.localOnly())) {
      waiting =
          CompletableFuture.supplyAsync(() -> other.get("/v1/changes?wait=60s&after=" + last));
      HttpResponse<Stream<String>> stream =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(other.uri("/v1/changes"))
                      .header("Accept", "text/event-stream")
                      .build(),
                  BodyHandlers.ofLines());
      assertThat(stream.body().iterator().next()).isEqualTo("retry: 1000");
      // Both, and who asks.
      await().until(() -> other.gauge("tidemark_http_active") == 3);
    }
    assertThat(waiting.get(60, TimeUnit.SECONDS).statusCode()).isIn(200, 503);
  }
}
