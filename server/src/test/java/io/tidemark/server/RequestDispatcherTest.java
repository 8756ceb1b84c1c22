// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.RequiredPermission;
import io.tidemark.server.http.Limits;
import io.tidemark.server.http.ProgressStream;
import io.tidemark.server.http.ProgressStream.DisconnectPolicy;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Route.DispatchClass;
import io.tidemark.server.http.RouteHandler;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.http.Routes;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What holds for every request. */
final class RequestDispatcherTest {

  /** Number of streams that a small server has room for. */
  private static final int STREAMS = 6;

  private static RunningServer server;

  @BeforeAll
  static void start() {
    server = RunningServer.inMemory();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void saysThatItLives() {
    HttpResponse<String> live = server.get("/live");
    assertThat(live.statusCode()).isEqualTo(200);
    assertThat(live.body()).isEqualTo("{\"status\":\"live\"}");
    assertThat(live.headers().firstValue("X-Request-Id")).isPresent();
  }

  @Test
  void anUnknownPathIsAProblem() {
    HttpResponse<String> answer = server.get("/v2/names");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(RunningServer.json(answer).path("code").asText()).isEqualTo("no-route");
  }

  @Test
  void aMethodThatAPathDoesNotTakeIsToldWithThoseItTakes() {
    HttpResponse<String> answer = server.send("DELETE", "/live", "");
    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("Allow")).contains("GET, HEAD");
  }

  @Test
  void twoHeadersThatDecideAboutAccessAreRefused() {
    HttpResponse<String> answer =
        server.send(
            HttpRequest.newBuilder(server.uri("/v1/names"))
                .header("Authorization", "Bearer one")
                .header("Authorization", "Bearer two")
                .build());
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("2 headers Authorization");
  }

  @Test
  void aNameWithASlashIsOneStep() {
    HttpResponse<String> answer = server.get("/v1/names/acme%2Fcrm:main");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(RunningServer.json(answer).path("detail").asText())
        .isEqualTo("there is no acme/crm:main; check the address, or create it");
  }

  @Test
  void aParameterThatIsSentTwiceIsRefusedUnlessItIsAList() {
    HttpResponse<String> twice = server.get("/v1/names?prefix=a&limit=5&prefix=b");
    assertThat(twice.statusCode()).isEqualTo(400);
    assertThat(RunningServer.json(twice).path("detail").asText())
        .isEqualTo("the parameter \"prefix\" comes 2 times, and takes one value; send it once");
    HttpResponse<String> list =
        server.get("/v1/watch?address=a:main&address=b:main&wait=0&concern=head&concern=index");
    assertThat(list.statusCode()).isEqualTo(200);
    // Also in the part of a URL that a form encodes, and as flags without a value.
    assertThat(server.get("/v1/names?pre%66ix=a&prefix=a").statusCode()).isEqualTo(400);
    assertThat(server.get("/v1/names?retracted&retracted").statusCode()).isEqualTo(400);
  }

  @Test
  void workThatWasCancelledKeepsItsPlaceUntilItHasEnded() throws Exception {
    CountDownLatch cancelled = new CountDownLatch(STREAMS);
    CountDownLatch end = new CountDownLatch(1);
    ProgressStream.Work work =
        progressSink -> {
          boolean waiting = true;
          while (waiting) {
            try {
              waiting = !end.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
              cancelled.countDown(); // and yet takes a while to stop
            }
          }
          return JsonNodeFactory.instance.objectNode();
        };
    RouteHandler routeHandler =
        httpRequestContext ->
            ProgressStream.reply(
                httpRequestContext,
                JsonNodeFactory.instance.objectNode(),
                DisconnectPolicy.CANCEL,
                work);
    HttpClient http = HttpClient.newHttpClient();
    try (TidemarkServer server =
        small(new Route("GET", "/verify", RequiredPermission.none(), routeHandler))) {
      HttpRequest request = HttpRequest.newBuilder(server.address().resolve("/verify")).build();
      List<InputStream> bodies = new ArrayList<>();
      for (int i = 0; i < STREAMS; i++) {
        InputStream body = http.send(request, BodyHandlers.ofInputStream()).body();
        assertThat(body.read()).isEqualTo('{'); // so the work is begun
        bodies.add(body);
      }
      for (InputStream body : bodies) {
        body.close();
      }
      assertThat(cancelled.await(1, TimeUnit.MINUTES)).isTrue();
      HttpResponse<String> more = http.send(request, BodyHandlers.ofString());
      assertThat(more.statusCode()).isEqualTo(503);
      assertThat(more.body()).contains("as many long bodies and answers");
      end.countDown();
      await().until(() -> http.send(request, BodyHandlers.ofString()).statusCode() == 200);
    }
  }

  /** With threads for 8 at a time in the ordinary lane, of 16. */
  private static TidemarkServer small(Route... routes) {
    Limits limits = Limits.standard().withCrowd(new Limits.Concurrency(1000, 16, STREAMS, 2));
    return TidemarkServer.start(
        ServerSettings.standard().withPort(0).withLimits(limits),
        new ServerComponents(Routes.undescribed(List.of(routes))),
        AccessControl.localOnly());
  }

  private static CompletableFuture<HttpResponse<String>> ask(
      HttpClient http, TidemarkServer of, String path) {
    return http.sendAsync(
        HttpRequest.newBuilder(of.address().resolve(path)).build(), BodyHandlers.ofString());
  }

  @Test
  void whatTakesLongKeepsNobodyElseWaiting() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    RouteHandler slow =
        httpRequestContext -> {
          try {
            assertThat(end.await(1, TimeUnit.MINUTES)).isTrue();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return RouteResponse.empty(204);
        };
    RouteHandler fast = httpRequestContext -> RouteResponse.empty(204);
    HttpClient http = HttpClient.newHttpClient();
    try (TidemarkServer server =
        small(
            new Route("GET", "/work", RequiredPermission.none(), slow),
            new Route("GET", "/hanging", RequiredPermission.none(), slow)
                .withDispatchClass(DispatchClass.LOOKUP),
            new Route("GET", "/lookup", RequiredPermission.none(), fast)
                .withDispatchClass(DispatchClass.LOOKUP),
            new Route("GET", "/live", RequiredPermission.none(), fast)
                .withDispatchClass(DispatchClass.VITAL))) {
      List<CompletableFuture<HttpResponse<String>>> working = new ArrayList<>();
      int taken = 8 + 16 * 8; // at work, and in line
      for (int i = 0; i < taken + 3; i++) {
        working.add(ask(http, server, "/work"));
      }
      await().until(() -> working.stream().filter(CompletableFuture::isDone).count() == 3);
      assertThat(ask(http, server, "/lookup").get().statusCode()).isEqualTo(204);
      HttpResponse<String> refused = ask(http, server, "/work").get();
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).contains("1");
      for (int i = 0; i < 8; i++) {
        working.add(ask(http, server, "/hanging"));
      }
      assertThat(ask(http, server, "/live").get().statusCode()).isEqualTo(204);
      end.countDown();
      List<Integer> ended = new ArrayList<>();
      for (CompletableFuture<HttpResponse<String>> each : working) {
        ended.add(each.get().statusCode());
      }
      assertThat(ended).filteredOn(status -> status == 204).hasSize(taken + 8);
      assertThat(ended).filteredOn(status -> status == 503).hasSize(3);
    }
  }

  @Test
  void whatAnAnswerHoldsIsGivenBackAlsoWhenNobodyWantsTheBody() throws Exception {
    AtomicInteger held = new AtomicInteger();
    RouteHandler stream =
        httpRequestContext -> {
          held.incrementAndGet();
          return new RouteResponse.Streamed(
              200,
              "text/plain",
              RouteResponse.BodyWriter.closing(held::decrementAndGet, out -> out.write('a')),
              Map.of());
        };
    try (TidemarkServer server =
        small(new Route("GET", "/out", RequiredPermission.none(), stream))) {
      URI uri = server.address().resolve("/out");
      HttpClient http = HttpClient.newHttpClient();
      for (String method : List.of("HEAD", "GET")) {
        HttpResponse<String> answer =
            http.send(
                HttpRequest.newBuilder(uri).method(method, BodyPublishers.noBody()).build(),
                BodyHandlers.ofString());
        assertThat(answer.body()).isEqualTo(method.equals("GET") ? "a" : "");
        assertThat(held.get()).isZero();
      }
    }
  }
}
