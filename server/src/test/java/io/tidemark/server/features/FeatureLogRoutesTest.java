// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.server.OpenApiResponseValidator;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.http.Limits;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The transaction log over HTTP. */
final class FeatureLogRoutesTest extends FeatureRoutesFixture {

  private static long last() {
    return ok(server.send("POST", "/v1/transactions/sequence", "")).path("last").asLong();
  }

  @Test
  void theLogIsReadInPagesBothWays() {
    String collection = collection();
    List<Long> written = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      written.add(xyz(put(collection, "a", "x" + i)).path("txn").asLong());
    }
    assertThat(pages("/v1/transactions?limit=2&from=" + written.get(0)))
        .containsExactlyElementsOf(written);
    List<Long> newest = pages("/v1/transactions?limit=2").subList(0, 5);
    assertThat(newest).isSortedAccordingTo((a, b) -> Long.compare(b, a));
    assertThat(newest).containsExactlyInAnyOrderElementsOf(written);
    long last = last();
    assertThat(pages("/v1/transactions?limit=2&seq=" + (last - 4)))
        .containsExactlyElementsOf(written);
    JsonNode one = ok(server.get("/v1/transactions/" + written.get(2)));
    assertThat(one.path("seq_number").asLong()).isEqualTo(last - 2);
    assertThat(one.path("signals").get(0).path("id").asText()).isEqualTo(collection);
    problem(404, "not-found", server.get("/v1/transactions/2001010100000000001"));
    problem(400, "invalid-request", server.get("/v1/transactions?seq=1&message=x"));
    problem(410, "log-gone", server.get("/v1/transactions?seq=" + (last + 100)));
  }

  private static List<Long> pages(String path) {
    List<Long> found = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = ok(server.get(path + cursor));
      page.path("items").forEach(item -> found.add(item.path("txn").asLong()));
      cursor = page.has("next") ? "&cursor=" + page.path("next").asText() : "";
    } while (!cursor.isEmpty());
    return found;
  }

  @Test
  void whoWaitsIsToldOfATransactionWhenItGetsItsNumber() throws Exception {
    String collection = collection();
    long before = last();
    assertThat(ok(server.get("/v1/changes")).path("after").asLong()).isEqualTo(before);
    CompletableFuture<HttpResponse<String>> waiting =
        CompletableFuture.supplyAsync(() -> server.get("/v1/changes?wait=60s&after=" + before));
    long txn = xyz(put(collection, "a", "x")).path("txn").asLong();
    assertThat(waiting).isNotDone();
    last();
    JsonNode told = RunningServer.json(waiting.get(60, TimeUnit.SECONDS));
    assertThat(told.path("items").get(0).path("txn").asLong()).isEqualTo(txn);
    assertThat(told.path("after").asLong()).isEqualTo(before + 1);
  }

  @Test
  void aWaitWithoutAnythingNewEndsWithNothing() {
    long last = last();
    long start = System.nanoTime();
    JsonNode told = ok(server.get("/v1/changes?wait=200ms&after=" + last));
    assertThat(told.path("items")).isEmpty();
    assertThat(told.path("after").asLong()).isEqualTo(last);
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThanOrEqualTo(Duration.ofMillis(200));
    problem(400, "invalid-request", server.get("/v1/changes?wait=soon&after=0"));
    problem(410, "log-gone", server.get("/v1/changes?after=" + (last + 1000)));
  }

  @Test
  void theLogIsFollowedByServerSentEventsAndGoneOnWith() throws Exception {
    String collection = collection();
    long before = last();
    put(collection, "a", "one");
    put(collection, "a", "two");
    last();
    assertThat(numbers("", before)).containsExactly(before + 1, before + 2);
    assertThat(numbers(Long.toString(before + 1), before)).containsExactly(before + 2);
    problem(
        410,
        "log-gone",
        send("GET", "/v1/changes?after=" + (before + 99), "", "Accept", "text/event-stream"));
  }

  /** The numbers that a stream begins with, up to the second after the start. */
  private static List<Long> numbers(String lastEventId, long start) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri("/v1/changes?after=" + start))
            .header("Accept", "text/event-stream");
    if (!lastEventId.isEmpty()) {
      request.header("Last-Event-ID", lastEventId);
    }
    HttpResponse<Stream<String>> stream =
        HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofLines());
    Optional<String> type = stream.headers().firstValue("Content-Type");
    assertThat(type).contains("text/event-stream");
    OpenApiResponseValidator.check("GET", "/v1/changes", stream.statusCode(), type, "retry: 1000");
    List<Long> found = new ArrayList<>();
    try (Stream<String> lines = stream.body()) {
      Iterator<String> each = lines.iterator();
      while (found.isEmpty() || found.get(found.size() - 1) < start + 2) {
        String line = each.next();
        if (line.startsWith("data: ")) {
          found.add(new JsonMapper().readTree(line.substring(6)).path("seq_number").asLong());
        }
      }
    }
    return found;
  }

  @Test
  void anyNumberWaitsWithoutAThread() throws Exception {
    String collection = collection();
    long last = last();
    int many = 40;
    Limits few = Limits.standard().withCrowd(new Limits.Concurrency(1000, 16, 6, 2));
    HttpClient http = HttpClient.newHttpClient();
    try (RunningServer other =
        new RunningServer(
            holdings(), AccessControl.localOnly(), ServerSettings.standard().withLimits(few))) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(other.uri("/v1/changes?wait=60s&after=" + last));
      List<CompletableFuture<HttpResponse<String>>> polls = new ArrayList<>();
      List<CompletableFuture<HttpResponse<Stream<String>>>> streams = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        polls.add(http.sendAsync(request.build(), BodyHandlers.ofString()));
      }
      request.header("Accept", "text/event-stream");
      for (int i = 0; i < many; i++) {
        streams.add(http.sendAsync(request.build(), BodyHandlers.ofLines()));
      }
      List<Iterator<String>> lines = new ArrayList<>();
      for (CompletableFuture<HttpResponse<Stream<String>>> each : streams) {
        lines.add(each.get(60, TimeUnit.SECONDS).body().iterator());
      }
      assertThat(other.get("/v1/collections").statusCode()).isEqualTo(200);
      assertThat(polls).noneMatch(CompletableFuture::isDone);
      put(collection, "a", "x");
      last();
      for (CompletableFuture<HttpResponse<String>> each : polls) {
        JsonNode told = RunningServer.json(each.get(60, TimeUnit.SECONDS));
        assertThat(told.path("items")).hasSize(1);
        assertThat(told.path("after").asLong()).isEqualTo(last + 1);
      }
      for (Iterator<String> each : lines) {
        String line = each.next();
        while (!line.startsWith("data: ")) {
          line = each.next();
        }
        assertThat(line).contains("\"seq_number\":" + (last + 1));
      }
    }
  }

  @Test
  void whoWaitsDoesNotHoldUpAServerThatStops() throws Exception {
    long last = last();
    try (RunningServer other = new RunningServer(holdings())) {
      CompletableFuture<HttpResponse<String>> waiting =
          CompletableFuture.supplyAsync(() -> other.get("/v1/changes?wait=60s&after=" + last));
      HttpResponse<Stream<String>> stream =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(other.uri("/v1/changes"))
                      .header("Accept", "text/event-stream")
                      .build(),
                  BodyHandlers.ofLines());
      Iterator<String> lines = stream.body().iterator();
      assertThat(lines.next()).isEqualTo("retry: 1000");
      // Both, and who asks.
      await().until(() -> other.gauge("tidemark_http_active") == 3);
      other.close();
      assertThat(RunningServer.json(waiting.get(60, TimeUnit.SECONDS)).path("items")).isEmpty();
      while (lines.hasNext()) {
        assertThat(lines.next()).doesNotContain("data:");
      }
    }
  }

  @Test
  void itIsToldWhetherACommitTookPlace() {
    put(collection(), "a", "x");
    JsonNode logged = ok(server.get("/v1/transactions?limit=1")).path("items").get(0);
    String path = "/v1/transactions/outcome?transaction=" + logged.path("psql_id").asText();
    String began = encoded(logged.path("ts").asText().replace("T", " ").replace("Z", "+00"));
    assertThat(ok(server.get(path + "&began=" + began)).path("tookPlace").asBoolean()).isTrue();
    problem(400, "invalid-request", server.get(path + "&began=" + encoded("now()")));
    problem(400, "invalid-request", server.get(path));
  }

  @Test
  void theMaintainerIsRunByRequest() {
    JsonNode done = ok(server.send("POST", "/v1/features/maintain", "{}"));
    assertThat(done.path("result").asText()).isEqualTo("done");
    problem(
        400,
        "invalid-request",
        server.send("POST", "/v1/features/maintain", "{\"mergeMonth\": true}"));
  }
}
