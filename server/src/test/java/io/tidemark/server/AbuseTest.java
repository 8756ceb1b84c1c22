// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.Limits;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.http.Routes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever is done to a server, it stays up, answers others meanwhile, and has no more memory and
 * file descriptors afterwards than before.
 */
@Timeout(300)
final class AbuseTest {

  private static final int THREADS = 16;
  private static final int STREAMS = 6;

  /** Short enough to be waited for; who is honest and slow for once asks again. */
  private static final Limits LIMITS =
      Limits.standard()
          .withBodyBytes(1 << 20)
          .withPace(new Limits.Pace(Duration.ofMillis(800), Duration.ofMillis(400), 1024))
          .withCrowd(new Limits.Concurrency(1_000, THREADS, STREAMS, 2));

  /** Long enough that nobody honest is closed. */
  private static final Limits PATIENT =
      LIMITS.withPace(new Limits.Pace(Duration.ofSeconds(2), Duration.ofSeconds(1), 1024));

  private static final AtomicLong STREAMED = new AtomicLong();
  private static final CountDownLatch LATE = new CountDownLatch(1);
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static TidemarkServer server;
  private static ResourceUsage before;

  @BeforeAll
  static void start() {
    server = start(LIMITS, AccessControl.localOnly());
    for (int i = 0; i < 100; i++) {
      answersOthers();
    }
    before = ResourceUsage.now();
  }

  private static TidemarkServer start(Limits limits, AccessControl accessControl) {
    return TidemarkServer.start(
        ServerSettings.standard().withPort(0).withLimits(limits),
        new ServerComponents(ROUTES),
        accessControl);
  }

  @AfterAll
  static void leaksNothing() {
    before.awaitAgain(16 << 20);
    server.close();
  }

  @AfterEach
  void stillAnswers() {
    answersOthers();
  }

  /** What can be abused: a document, a stream in, a stream out, much at once. */
  private static final Routes ROUTES =
      Routes.undescribed(
          List.of(
              new Route(
                  "GET",
                  "/live",
                  RequiredPermission.none(),
                  httpRequestContext -> RouteResponse.empty(204)),
              new Route(
                  "GET",
                  "/named/{name}",
                  named(Action.READ),
                  httpRequestContext -> RouteResponse.empty(204)),
              new Route(
                  "POST",
                  "/document",
                  RequiredPermission.none(),
                  httpRequestContext -> document(httpRequestContext)),
              new Route("POST", "/in", RequiredPermission.none(), AbuseTest::in),
              new Route("GET", "/late", RequiredPermission.none(), httpRequestContext -> late()),
              new Route("GET", "/out", RequiredPermission.none(), httpRequestContext -> out()),
              new Route("GET", "/much", RequiredPermission.none(), httpRequestContext -> much())));

  private static RequiredPermission named(Action action) {
    return RequiredPermission.of(action, ResourceType.NAMES, "name");
  }

  private static RouteResponse document(HttpRequestContext httpRequestContext) throws IOException {
    return RouteResponse.ok(httpRequestContext.body());
  }

  private static RouteResponse in(HttpRequestContext httpRequestContext) throws IOException {
    try (InputStream in = httpRequestContext.stream()) {
      long size = in.transferTo(OutputStream.nullOutputStream());
      return RouteResponse.ok(JsonNodeFactory.instance.objectNode().put("size", size));
    }
  }

  private static RouteResponse late() {
    try {
      assertThat(LATE.await(2, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return RouteResponse.empty(204);
  }

  /** So much that no buffer takes it all. */
  private static RouteResponse out() {
    return new RouteResponse.Streamed(
        200,
        "application/octet-stream",
        out -> {
          STREAMED.incrementAndGet();
          byte[] some = new byte[1 << 16];
          try {
            for (int i = 0; i < 16_384; i++) {
              out.write(some);
            }
          } finally {
            STREAMED.decrementAndGet();
          }
        },
        Map.of());
  }

  private static RouteResponse much() {
    return new RouteResponse.Bytes(200, "application/octet-stream", new byte[64 << 20], Map.of());
  }

  private static HttpResponse<String> get(URI uri, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(Duration.ofMinutes(1));
    return HTTP.send(
        (headers.length == 0 ? request : request.headers(headers)).build(),
        BodyHandlers.ofString());
  }

  /** Somebody who does nothing wrong is answered, also who sends a body. */
  private static void answersOthers() {
    assertThat(RawHttpClient.status(asked(RawHttpClient.head("GET /live", "Connection: close"))))
        .isEqualTo(204);
    String post =
        RawHttpClient.head("POST /document", "Content-Length: 7", "Connection: close")
            + "{\"a\":1}";
    assertThat(asked(post)).endsWith("\r\n\r\n{\"a\":1}");
  }

  /** A machine that has stood still for seconds finds its connection closed, and asks again. */
  private static String asked(String request) {
    String answer = "";
    for (int i = 0; i < 3 && answer.isEmpty(); i++) {
      try (RawHttpClient rawHttpClient = new RawHttpClient(server)) {
        rawHttpClient.send(request);
        answer = rawHttpClient.rest();
      }
    }
    return answer;
  }

  private static HttpResponse<String> post(String path, String body)
      throws IOException, InterruptedException {
    return HTTP.send(
        HttpRequest.newBuilder(server.address().resolve(path))
            .timeout(Duration.ofMinutes(1))
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  @Test
  void aBodyBeyondTheLimitIsRefusedBeforeItIsRead() {
    try (RawHttpClient rawHttpClient = new RawHttpClient(server)) {
      rawHttpClient.send(RawHttpClient.head("POST /document", "Content-Length: 9000000000"));
      rawHttpClient.send("{".repeat(1 << 16));
      assertThat(RawHttpClient.status(rawHttpClient.rest())).isEqualTo(413);
    }
    try (RawHttpClient rawHttpClient = new RawHttpClient(server)) {
      rawHttpClient.send(RawHttpClient.head("POST /document", "Transfer-Encoding: chunked"));
      String chunk = "10000\r\n" + " ".repeat(1 << 16) + "\r\n";
      for (int i = 0; i < 40 && rawHttpClient.send(chunk); i++) {
        // as long as the server takes it
      }
      assertThat(rawHttpClient.rest()).contains("413", "\"code\":\"too-large\"");
    }
  }

  @Test
  void jsonBeyondTheLimitsIsRefused() throws Exception {
    String members =
        IntStream.range(0, 90_000)
            .mapToObj(i -> "\"" + i + "\":0")
            .collect(Collectors.joining(",", "{", "}"));
    assertThat(members.length()).isLessThan(1 << 20);
    assertThat(post("/document", members).statusCode()).isEqualTo(200);
    for (String json :
        List.of(
            "[".repeat(500_000),
            "{\"a\":".repeat(100_000),
            "{\"a\":" + "[".repeat(64) + "]".repeat(64) + "}",
            "{\"a\":" + "9".repeat(1001) + "}",
            "{\"a\":1e" + "9".repeat(999) + "}",
            "{\"a\":[{\"b\":1e999999999}]}",
            "{\"a\":1e-999999999}",
            "{\"" + "a".repeat(50_001) + "\":1}",
            "{\"a\":1,\"a\":2}",
            "{\"a\":1} {}",
            "{\"a\":" + "[],".repeat(100) + "}",
            "",
            "\u0000",
            "null")) {
      HttpResponse<String> answer = post("/document", json);
      assertThat(answer.statusCode())
          .as(json.substring(0, Math.min(40, json.length())))
          .isEqualTo(400);
      assertThat(answer.body()).hasSizeLessThan(1000).contains("\"code\":\"invalid-request\"");
    }
  }

  @Test
  void manyTokensOfJsonAreTooMany() throws Exception {
    Limits.Json few = new Limits.Json(64, 1000, 100, 100);
    Limits limits =
        new Limits(1 << 20, 8192, 100, 100, few, LIMITS.pace(), LIMITS.crowd(), LIMITS.sql());
    try (TidemarkServer small = start(limits, AccessControl.localOnly())) {
      String body = "{\"a\":[" + "0,".repeat(2000) + "0]}";
      HttpResponse<String> answer =
          HTTP.send(
              HttpRequest.newBuilder(small.address().resolve("/document"))
                  .POST(BodyPublishers.ofString(body))
                  .build(),
              BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("JSON beyond the limits");
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "GET /live HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        "POST /document HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n{",
        "POST /document HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
        "POST /in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n{"
      })
  void whoSendsAByteNowAndThenHoldsUpNobodyAndIsClosed(String start) throws Exception {
    List<RawHttpClient> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 5 * THREADS; i++) {
        RawHttpClient rawHttpClient = new RawHttpClient(server);
        rawHttpClient.send(start);
        slow.add(rawHttpClient);
      }
      answersOthers();
      boolean chunked = start.contains("chunked");
      await()
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofMillis(100))
          .until(
              () -> {
                answersOthers();
                return slow.stream()
                        .filter(rawHttpClient -> rawHttpClient.send(chunked ? "1\r\n \r\n" : " "))
                        .count()
                    == 0;
              });
    } finally {
      slow.forEach(RawHttpClient::close);
    }
  }

  @Test
  void whoSendsMuchAndThenLittleHasNoCredit() throws Exception {
    List<RawHttpClient> slow = new ArrayList<>();
    String much = " ".repeat(1 << 18);
    try {
      for (int i = 0; i < STREAMS; i++) {
        RawHttpClient rawHttpClient = new RawHttpClient(server);
        rawHttpClient.send(RawHttpClient.head("POST /in", "Content-Length: 100000000"));
        rawHttpClient.send(much);
        slow.add(rawHttpClient);
      }
      await()
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofMillis(100))
          .until(
              () -> {
                answersOthers();
                return slow.stream().filter(rawHttpClient -> rawHttpClient.send(" ")).count() == 0;
              });
    } finally {
      slow.forEach(RawHttpClient::close);
    }
  }

  @Test
  void whoSendsSlowlyButFastEnoughIsHeard() throws Exception {
    try (TidemarkServer patient = start(PATIENT, AccessControl.localOnly());
        RawHttpClient rawHttpClient = new RawHttpClient(patient)) {
      rawHttpClient.send(
          RawHttpClient.head("POST /in", "Content-Length: 4096", "Connection: close"));
      // For longer than the grace.
      for (int sent = 0; sent < 4096; sent += 512) {
        String piece = " ".repeat(512);
        await().pollDelay(Duration.ofMillis(200)).until(() -> rawHttpClient.send(piece));
      }
      assertThat(rawHttpClient.rest()).endsWith("{\"size\":4096}");
    }
  }

  @Test
  void whoWaitsForALongAnswerIsNotClosed() {
    try (RawHttpClient rawHttpClient = new RawHttpClient(server)) {
      rawHttpClient.send(RawHttpClient.head("GET /late", "Connection: close"));
      // For longer than a connection may be idle, which this one isn't: it is the server's turn.
      Duration longer = LIMITS.pace().idle().plusMillis(400);
      await().pollDelay(longer).until(() -> LATE.getCount() == 1);
      LATE.countDown();
      assertThat(RawHttpClient.status(rawHttpClient.rest())).isEqualTo(204);
    }
  }

  @Test
  void whoSendsNothingIsClosed() {
    List<RawHttpClient> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        silent.add(new RawHttpClient(server));
      }
      silent.forEach(rawHttpClient -> assertThat(rawHttpClient.rest()).isEmpty());
    } finally {
      silent.forEach(RawHttpClient::close);
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"/out", "/much"})
  void whoDoesNotReadTheAnswerHoldsNoThreadForEver(String path) throws Exception {
    List<RawHttpClient> deaf = new ArrayList<>();
    int busy = 0;
    try {
      int many = path.equals("/out") ? 2 * THREADS : 4;
      for (int i = 0; i < many; i++) {
        RawHttpClient rawHttpClient = new RawHttpClient(server);
        rawHttpClient.send(RawHttpClient.head("GET " + path));
        deaf.add(rawHttpClient);
      }
      for (RawHttpClient rawHttpClient : deaf) {
        String answer =
            new String(rawHttpClient.some(12), java.nio.charset.StandardCharsets.US_ASCII);
        busy += RawHttpClient.status(answer) == 503 ? 1 : 0;
      }
      assertThat(busy).isEqualTo(path.equals("/out") ? many - STREAMS : 0);
      answersOthers();
      await().atMost(Duration.ofMinutes(2)).until(() -> STREAMED.get() == 0);
      answersOthers();
    } finally {
      deaf.forEach(RawHttpClient::close);
    }
  }

  @Test
  void badTokensAreRefusedAndGoodOnesAreNot(@TempDir Path directory) throws Exception {
    TokenRecord.NewToken newToken =
        TokenRecord.create("good", Grant.parse("read:names"), Instant.now(), Optional.empty());
    Path file = directory.resolve("tokens");
    new TokenFile(file).add(newToken.token());
    try (TidemarkServer asking =
        start(PATIENT, AccessControl.of(AccessSettings.none().withTokens(file)))) {
      URI uri = asking.address().resolve("/named/acme");
      for (int i = 0; i < 500; i++) {
        String bad = i % 2 == 0 ? "tm_" + newToken.token().id() + "_" + i : "x".repeat(i * 10);
        int status = get(uri, "Authorization", "Bearer " + bad).statusCode();
        assertThat(status).isEqualTo(i < 20 ? 401 : 429);
        if (i % 100 == 0) {
          assertThat(get(uri, "Authorization", "Bearer " + newToken.secret()).statusCode())
              .isEqualTo(204);
        }
      }
    }
  }

  @Test
  void aHeadBeyondTheLimitIsRefused() throws Exception {
    for (String request :
        List.of(
            RawHttpClient.head("GET /live?" + "a=1&".repeat(100_000)),
            RawHttpClient.head("GET /" + "a".repeat(100_000)),
            RawHttpClient.head("GET /live", "X-Long: " + "a".repeat(100_000)),
            RawHttpClient.head("GET /live", "X: 1\r\n".repeat(20_000) + "Y: 1"))) {
      try (RawHttpClient rawHttpClient = new RawHttpClient(server)) {
        rawHttpClient.send(request);
        String answer = rawHttpClient.rest();
        // Who still sends while the server closes may lose the answer.
        assertThat(RawHttpClient.status(answer)).isIn(0, 414, 431);
        assertThat(answer).hasSizeLessThan(1000);
      }
    }
    HttpResponse<String> many = get(server.address().resolve("/live?" + "a&".repeat(1001)));
    assertThat(many.statusCode()).isEqualTo(400);
    assertThat(many.body()).contains("more than 1000 parameters");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "POST /document|Content-Length: 5|Content-Length: 6",
        "POST /document|Content-Length: 5|Transfer-Encoding: chunked",
        "POST /document|Transfer-Encoding: chunked|Content-Length: 5",
        "POST /document|Transfer-Encoding: chunked|Transfer-Encoding: identity",
        "POST /document|Transfer-Encoding: chunked, identity",
        "POST /document|Transfer-Encoding: xchunked",
        "POST /document|Transfer-Encoding : chunked",
        "POST /document|Content-Length: +5",
        "POST /document|Content-Length: 5, 5",
        "POST /document|Content-Length: -1",
        "POST /document|Content-Length: 0x5",
        "POST /document|Content-Length: 99999999999999999999",
        "GET /live|Host: evil",
        "GET /live| folded: header",
        "GET /live|X\u0000Y: z",
        "GET /live|X: y\u0000z",
        "GET /live HTTP/1.1 x|X: y"
      })
  void whatTwoServersCouldReadDifferentlyIsReadByNone(String shape) {
    String[] parts = shape.split("\\|", -1);
    String second = "GET /named/smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (RawHttpClient rawHttpClient = new RawHttpClient(server)) {
      rawHttpClient.send(
          RawHttpClient.head(
              parts[0], List.of(parts).subList(1, parts.length).toArray(String[]::new)));
      rawHttpClient.send("0\r\n\r\n" + second);
      String answer = rawHttpClient.rest();
      assertThat(RawHttpClient.status(answer)).isIn(400, 501);
      assertThat(answer.split("HTTP/1\\.1 ", -1)).as("answers").hasSize(2);
      assertThat(answer).contains("application/problem+json").doesNotContain("jetty", "Jetty");
    }
  }

  @Test
  void garbageEndsTheConnection() {
    byte[] garbage = new byte[1 << 16];
    new java.util.Random(7).nextBytes(garbage);
    for (byte[] bytes :
        List.of(
            garbage,
            "\r\n".repeat(10_000).getBytes(java.nio.charset.StandardCharsets.US_ASCII),
            new byte[1 << 16],
            new byte[] {0x16, 3, 1, 2, 0, 1},
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
                .getBytes(java.nio.charset.StandardCharsets.US_ASCII))) {
      try (RawHttpClient rawHttpClient = new RawHttpClient(server)) {
        rawHttpClient.send(RawHttpClient.head("GET /live"));
        rawHttpClient.send(bytes);
        assertThat(rawHttpClient.rest()).doesNotContain("Exception", "jetty");
      }
    }
  }

  @Test
  void pipelinedRequestsAreAnsweredInTheirOrder() {
    try (RawHttpClient rawHttpClient = new RawHttpClient(server)) {
      String post = RawHttpClient.head("POST /document", "Content-Length: 7") + "{\"a\":%d}";
      StringBuilder all = new StringBuilder();
      for (int i = 0; i < 9; i++) {
        all.append(post.formatted(i));
      }
      rawHttpClient.send(all + RawHttpClient.head("GET /live", "Connection: close"));
      String answer = rawHttpClient.rest();
      for (int i = 0; i < 9; i++) {
        int at = answer.indexOf("{\"a\":" + i + "}");
        assertThat(at).isPositive();
        answer = answer.substring(at);
      }
      assertThat(answer).contains("HTTP/1.1 204");
    }
  }
}
