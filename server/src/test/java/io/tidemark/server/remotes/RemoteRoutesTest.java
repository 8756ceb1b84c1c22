// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.remotes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.server.ConnectionBreakingProxy;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import io.tidemark.server.resources.ServerResources;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server does with remotes of its own. */
class RemoteRoutesTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String ROWS =
      "{\"type\":\"Note\",\"schema\":{\"entity\":\"Note\",\"key\":\"id\",\"fields\":{\"id\":\"string\"}},"
          + "\"rows\":[{\"id\":\"%s\"}]}";

  @TempDir Path directory;

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private NameService names;
  private RunningServer server;
  private NameService otherNames;
  private RunningServer other;

  @BeforeEach
  void start() {
    names = kept(NameService.open(directory.resolve("here").toString()));
    otherNames = NameService.open(there());
    other = new RunningServer(ServerResources.of(otherNames));
    server = serve(AccessControl.localOnly(), ServerSettings.standard());
  }

  /** Closed after the test, what was opened last first. */
  final <T extends AutoCloseable> T kept(T opened) {
    open.push(opened);
    return opened;
  }

  @AfterEach
  void stop() throws Exception {
    // Meanwhile, since each takes a moment to stop; one before another needs that one to the end.
    CompletableFuture<Void> stopping = CompletableFuture.runAsync(other::close);
    for (AutoCloseable each : open) {
      each.close();
    }
    stopping.join();
    otherNames.close();
  }

  final NameService names() {
    return names;
  }

  /** A server of the names here, or one that is asked for them. */
  RunningServer serve(AccessControl accessControl, ServerSettings settings) {
    return kept(new RunningServer(ServerResources.of(names), accessControl, settings));
  }

  final String there() {
    return directory.resolve("there").toString();
  }

  private static JsonNode done(RunningServer server, String method, String path, String body) {
    HttpResponse<String> response = server.send(method, path, body);
    assertThat(response.statusCode()).as(response.body()).isBetween(200, 201);
    return RunningServer.json(response);
  }

  private static void commit(RunningServer server, String id) {
    commit("crm", server, id);
  }

  private static void commit(String ledger, RunningServer server, String id) {
    done(server, "POST", "/v1/ledgers/" + ledger + "/commits", ROWS.formatted(id));
  }

  static void makeLedger(RunningServer server) {
    done(server, "POST", "/v1/ledgers", "{\"ledger\":\"crm\"}");
    commit(server, "n1");
  }

  static String location(String location) {
    return JSON.createObjectNode().put("location", location).toString();
  }

  static void failed(HttpResponse<String> response, int status, String code) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(RunningServer.json(response).path("code").asText()).isEqualTo(code);
  }

  @Test
  void remotesAreNamedListedAndForgotten() {
    JsonNode made = done(server, "PUT", "/v1/remotes/origin", location(there()));
    assertThat(made.path("location").asText()).isEqualTo(there());
    done(server, "PUT", "/v1/remotes/origin", location(there()));
    failed(server.send("PUT", "/v1/remotes/origin", location("/elsewhere")), 409, "already-exists");
    assertThat(RunningServer.json(server.get("/v1/remotes")).toString())
        .isEqualTo(
            "{\"items\":[{\"name\":\"origin\",\"location\":\""
                + there()
                + "\",\"upstreams\":[]}]}");

    failed(server.send("PUT", "/v1/remotes/-x%2Fy", location("/x")), 400, "invalid-name");
    failed(server.send("PUT", "/v1/remotes/x", location("../x")), 400, "invalid-request");
    failed(
        server.send("PUT", "/v1/remotes/x", location("https://user:secret@host/")),
        400,
        "invalid-location");
    failed(server.send("PUT", "/v1/remotes/x", "{\"place\":\"/x\"}"), 400, "invalid-request");

    assertThat(done(server, "DELETE", "/v1/remotes/origin", "").path("removed").asText())
        .isEqualTo("origin");
    failed(server.send("DELETE", "/v1/remotes/origin", ""), 404, "not-found");
    failed(server.get("/v1/remotes/origin"), 404, "not-found");
    failed(server.send("POST", "/v1/remotes/origin/fetch", ""), 404, "not-found");
    assertThat(RunningServer.json(server.get("/v1/remotes")).path("items")).isEmpty();
  }

  @Test
  void whatIsThereIsFetchedAndToldInPages() {
    for (String name : List.of("a", "b", "c")) {
      otherNames.create(Address.parse(name));
    }
    done(server, "PUT", "/v1/remotes/origin", location(there()));
    String fetch = "/v1/remotes/origin/fetch?limit=2";
    JsonNode first = done(server, "POST", fetch, "");
    assertThat(first.path("updated").toString()).isEqualTo("[\"a:main\",\"b:main\"]");
    JsonNode second = done(server, "POST", fetch + "&cursor=" + first.path("next").asText(), "");
    assertThat(second.path("updated").toString()).isEqualTo("[\"c:main\"]");
    assertThat(second.has("next")).isFalse();

    for (int i = 0; i < 100; i++) {
      otherNames.create(Address.parse("more-" + i));
    }
    done(server, "POST", "/v1/remotes/origin/fetch", "");
    JsonNode all = RunningServer.json(server.get("/v1/remotes/origin"));
    assertThat(all.path("tracked")).hasSize(103);
    assertThat(all.has("next")).isFalse();

    String get = "/v1/remotes/origin?limit=2";
    JsonNode seen = RunningServer.json(server.get(get));
    assertThat(seen.path("tracked").findValuesAsText("address"))
        .containsExactly("a:main", "b:main");
    JsonNode rest = RunningServer.json(server.get(get + "&cursor=" + seen.path("next").asText()));
    assertThat(rest.path("tracked").findValuesAsText("address"))
        .containsExactly("c:main", "more-0:main");
    failed(server.get(get + "&cursor=%21"), 400, "invalid-request");
    failed(server.send("POST", "/v1/remotes/origin/fetch?limit=1001", ""), 400, "invalid-request");
  }

  @Test
  void everyOutcomeIsAnAnswer() {
    makeLedger(server);
    String crm = "{\"local\":\"crm\"}";
    assertThat(done(server, "POST", "/v1/push", crm).path("outcome").asText())
        .isEqualTo("no_upstream");
    done(server, "PUT", "/v1/remotes/origin", location(there()));
    JsonNode made =
        done(
            server,
            "POST",
            "/v1/push",
            "{\"local\":\"crm\",\"remote\":\"origin\",\"follow\":true}");
    assertThat(made.path("outcome").asText()).isEqualTo("created");
    assertThat(made.path("commits").asInt()).isEqualTo(1);
    assertThat(done(server, "POST", "/v1/push", crm).path("outcome").asText())
        .isEqualTo("up_to_date");
    commit(server, "n2");
    JsonNode moved = done(server, "POST", "/v1/push", crm);
    assertThat(moved.path("outcome").asText()).isEqualTo("fast_forwarded");
    assertThat(moved.path("from").path("t").asInt()).isEqualTo(1);
    commit(other, "n3");
    assertThat(done(server, "POST", "/v1/pull", crm).path("to").path("t").asInt()).isEqualTo(3);
    assertThat(names.find(Address.parse("crm")).orElseThrow().commit())
        .isEqualTo(otherNames.find(Address.parse("crm")).orElseThrow().commit());

    commit(server, "here");
    commit(other, "there");
    JsonNode diverged = done(server, "POST", "/v1/push", crm);
    assertThat(diverged.path("outcome").asText()).isEqualTo("diverged");
    assertThat(diverged.path("common").path("t").asInt()).isEqualTo(3);
    assertThat(
            done(server, "POST", "/v1/pull", "{\"local\":\"x\",\"remote\":\"origin\"}")
                .path("outcome")
                .asText())
        .isEqualTo("not_found");

    JsonNode fetched = done(server, "POST", "/v1/remotes/origin/fetch", "");
    assertThat(fetched.path("unchanged").toString()).isEqualTo("[\"crm:main\"]");
    JsonNode known = RunningServer.json(server.get("/v1/remotes/origin"));
    assertThat(known.path("tracked").get(0).path("commit_head").path("t").asInt()).isEqualTo(4);
    assertThat(known.path("upstreams").get(0).path("local").asText()).isEqualTo("crm:main");
  }

  @Test
  void aServerClonesFromAServerAndTellsHowFarItIs() throws Exception {
    makeLedger(other);
    commit(other, "n2");
    List<JsonNode> lines = told("/v1/clone", clone("copy"));
    JsonNode end = lines.remove(lines.size() - 1).path("end");
    assertThat(end.path("outcome").asText()).isEqualTo("created");
    assertThat(end.path("to").path("t").asInt()).isEqualTo(2);
    JsonNode last = lines.get(lines.size() - 1);
    assertThat(last.path("commits").asInt()).isEqualTo(2);
    assertThat(last.path("of_commits").asInt()).isEqualTo(2);
    assertThat(last.path("bytes").asLong()).isPositive();

    commit(other, "n3");
    assertThat(done(server, "POST", "/v1/pull", "{\"local\":\"copy\"}").path("outcome").asText())
        .isEqualTo("fast_forwarded");
    commit("copy", server, "n4");
    List<JsonNode> pushed = told("/v1/push", "{\"local\":\"copy\"}");
    assertThat(pushed.get(pushed.size() - 1).path("end").path("to").path("t").asInt()).isEqualTo(4);
    List<JsonNode> failed = told("/v1/pull", "{\"local\":\"copy\",\"remote\":\"nobody\"}");
    assertThat(failed.get(failed.size() - 1).path("problem").path("code").asText())
        .isEqualTo("not-found");
    assertThat(done(server, "POST", "/v1/clone", clone("again")).path("outcome").asText())
        .isEqualTo("created");
  }

  private String clone(String local) {
    return clone(local, other.uri("").toString());
  }

  private static String clone(String local, String location) {
    return JSON.createObjectNode()
        .put("location", location)
        .put("there", "crm")
        .put("local", local)
        .toString();
  }

  @Test
  void howFarItIsIsToldOnTheWayAndWhoGoesAwayStopsNothing() throws Exception {
    makeLedger(other);
    CountDownLatch told = new CountDownLatch(1);
    try (ConnectionBreakingProxy between = new ConnectionBreakingProxy(other.uri(""))) {
      between.always(request -> !hasCome(told), ConnectionBreakingProxy.Break.BEFORE);
      HttpRequest request =
          HttpRequest.newBuilder(server.uri("/v1/clone"))
              .header("Accept", "application/x-ndjson")
              .POST(BodyPublishers.ofString(clone("copy", between.address())))
              .build();
      HttpResponse<InputStream> answer =
          HttpClient.newHttpClient().send(request, BodyHandlers.ofInputStream());
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
        assertThat(lines.readLine()).isEqualTo("{\"commits\":0,\"of_commits\":0,\"bytes\":0}");
      } finally {
        told.countDown();
      }
      await().until(() -> names.find(Address.parse("copy")).isPresent());
    }
  }

  private static boolean hasCome(CountDownLatch latch) {
    try {
      return latch.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Test
  void aPushUnderAKeyIsAnsweredOnce() {
    makeLedger(server);
    done(server, "PUT", "/v1/remotes/origin", location(there()));
    String push = "{\"local\":\"crm\",\"remote\":\"origin\"}";
    failed(keyed(push, "k1", "Tidemark-Sent-Before", "true"), 409, "unknown-write");
    HttpResponse<String> first = keyed(push, "k1");
    assertThat(RunningServer.json(first).path("outcome").asText()).isEqualTo("created");
    assertThat(first.headers().firstValue("Idempotency-Replayed")).isEmpty();
    for (String[] more : new String[][] {{}, {"Tidemark-Sent-Before", "true"}}) {
      HttpResponse<String> again = keyed(push, "k1", more);
      assertThat(again.body()).isEqualTo(first.body());
      assertThat(again.headers().firstValue("Idempotency-Replayed")).contains("true");
    }
    failed(keyed("{\"local\":\"crm\"}", "k1"), 422, "idempotency-mismatch");
    failed(keyed(push, "k 1"), 400, "invalid-request");
    assertThat(RunningServer.json(keyed(push, "k2")).path("outcome").asText())
        .isEqualTo("up_to_date");
  }

  private HttpResponse<String> keyed(String push, String key, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri("/v1/push"))
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(push));
    return server.send((headers.length == 0 ? request : request.headers(headers)).build());
  }

  /** What is told on the way, line by line. */
  private List<JsonNode> told(String path, String body) throws IOException {
    HttpResponse<String> response =
        server.send(
            HttpRequest.newBuilder(server.uri(path))
                .header("Accept", "application/x-ndjson")
                .POST(BodyPublishers.ofString(body))
                .build());
    List<JsonNode> lines = new ArrayList<>();
    for (String line : response.body().lines().toList()) {
      lines.add(JSON.readTree(line));
    }
    return lines;
  }

  static Optional<String> token(TokenFile file, String name, String... grants) {
    List<Grant> all = Arrays.stream(grants).flatMap(g -> Grant.parse(g).stream()).toList();
    TokenRecord.NewToken newToken = TokenRecord.create(name, all, Instant.now(), Optional.empty());
    file.add(newToken.token());
    return Optional.of(newToken.secret());
  }

  @Test
  void onlyWhereTheServerWasToldToGoAndOnlyByWhoMayMoveTheName() {
    makeLedger(other);
    Path tokens = directory.resolve("tokens");
    TokenFile file = new TokenFile(tokens);
    Optional<String> operator = token(file, "operator", "admin:server");
    Optional<String> writer = token(file, "writer", "admin:server", "write:names/acme/");
    Optional<String> reader = token(file, "reader", "admin:server", "read:names");
    ServerSettings settings =
        ServerSettings.standard()
            .withRemotes(AllowedRemoteLocations.at(List.of(there(), directory + "/below/")));
    RunningServer strict =
        serve(AccessControl.of(AccessSettings.none().withTokens(tokens)), settings);
    for (String place :
        List.of(
            "/etc",
            "s3://bucket",
            "https://elsewhere",
            there() + "/x",
            directory + "/below/../there",
            directory + "/below/x?region=y",
            directory + "/below/connection.json")) {
      failed(send(strict, operator, "PUT", "/v1/remotes/x", location(place)), 403, "refused-place");
    }
    assertThat(
            send(strict, operator, "PUT", "/v1/remotes/b", location(directory + "/below/b"))
                .statusCode())
        .isEqualTo(200);
    assertThat(send(strict, operator, "PUT", "/v1/remotes/origin", location(there())).statusCode())
        .isEqualTo(200);
    // Entered by somebody who has the store.
    done(server, "PUT", "/v1/remotes/sneaked", location(other.uri("").toString()));
    failed(send(strict, operator, "POST", "/v1/remotes/sneaked/fetch", ""), 403, "refused-place");
    done(server, "POST", "/v1/ledgers", "{\"ledger\":\"mine\"}");
    commit("mine", server, "n1");
    done(server, "POST", "/v1/push", "{\"local\":\"mine\",\"remote\":\"sneaked\",\"follow\":true}");
    failed(send(strict, reader, "POST", "/v1/push", "{\"local\":\"mine\"}"), 403, "refused-place");

    String pull = "{\"local\":\"%s\",\"remote\":\"origin\",\"there\":\"crm\"}";
    failed(
        send(strict, operator, "POST", "/v1/pull", pull.formatted("acme/crm")), 403, "forbidden");
    failed(send(strict, writer, "POST", "/v1/pull", pull.formatted("crm")), 403, "forbidden");
    failed(
        send(
            strict,
            writer,
            "POST",
            "/v1/clone",
            "{\"there\":\"crm\",\"location\":\"" + there() + "\"}"),
        403,
        "forbidden");
    assertThat(names.find(Address.parse("acme/crm"))).isEmpty();
    assertThat(
            RunningServer.json(send(strict, writer, "POST", "/v1/pull", pull.formatted("acme/crm")))
                .path("outcome")
                .asText())
        .isEqualTo("created");
    failed(send(strict, writer, "POST", "/v1/push", pull.formatted("acme/crm")), 404, "not-found");
  }

  @Test
  void whereItWasToldToGoCountsForItsOwnMachineToo() {
    RunningServer told =
        serve(
            AccessControl.localOnly(),
            ServerSettings.standard().withRemotes(AllowedRemoteLocations.at(List.of(there()))));
    failed(told.send("PUT", "/v1/remotes/x", location("/elsewhere")), 403, "refused-place");
    done(told, "PUT", "/v1/remotes/x", location(there()));
  }

  static HttpResponse<String> send(
      RunningServer server, Optional<String> token, String method, String path, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri(path)).method(method, BodyPublishers.ofString(body));
    token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
    return server.send(request.build());
  }

  @Test
  void statusIsWhatTheCommandShows() {
    makeLedger(server);
    done(server, "POST", "/v1/names/other", "");
    // A head is told to its name in the background.
    await()
        .untilAsserted(
            () ->
                assertThat(status().path("names").toString())
                    .isEqualTo(
                        "[{\"address\":\"crm:main\",\"kind\":\"ledger\",\"state\":\"ready\",\"head\":1,\"lag\":null,\"locks\":[]}]"));
    assertThat(status().path("more").asBoolean()).isTrue();
    assertThat(status().path("features").isNull()).isTrue();
    assertThat(status().path("data").asText()).isEqualTo(place());
  }

  /** Where the server has its names from. */
  String place() {
    return names.location();
  }

  private JsonNode status() {
    return RunningServer.json(server.get("/v1/admin/status?limit=1"));
  }
}
