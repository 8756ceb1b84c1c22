// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.NameService;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.server.RunningServer;
import io.tidemark.server.resources.ServerResources;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects as somebody meets them who has nothing but HTTP. */
class ObjectRoutesTest {

  private static final String HEAD = "/v1/objects/ledgers/acme%252Fcrm/meta/head.json";

  private HttpObjectServer place;
  private RunningServer server;

  @BeforeEach
  void start() {
    place = new HttpObjectServer();
    server = place.server();
  }

  @AfterEach
  void stop() {
    place.close();
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri(path)).method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return server.send(request.build());
  }

  private static String etag(HttpResponse<String> response) {
    return response.headers().firstValue("ETag").orElseThrow();
  }

  private static String code(HttpResponse<String> response) {
    return RunningServer.json(response).path("code").asText();
  }

  @Test
  void anObjectIsCreatedReadReplacedAndDeleted() {
    HttpResponse<String> created =
        send("PUT", HEAD, "one", "If-None-Match", "*", "Tidemark-Attempt", "mine");
    assertThat(created.statusCode()).isEqualTo(204);
    HttpResponse<String> read = server.get(HEAD);
    assertThat(read.statusCode()).isEqualTo(200);
    assertThat(read.body()).isEqualTo("one");
    assertThat(etag(read)).isEqualTo(etag(created)).matches("\"[^\"]+\"");
    assertThat(read.headers().firstValue("Content-Length")).contains("3");

    HttpResponse<String> known =
        server.send(
            HttpRequest.newBuilder(server.uri(HEAD)).header("If-None-Match", etag(read)).build());
    assertThat(known.statusCode()).isEqualTo(304);
    assertThat(known.body()).isEmpty();

    HttpResponse<String> replaced = send("PUT", HEAD, "two", "If-Match", etag(read));
    assertThat(replaced.statusCode()).isEqualTo(204);
    assertThat(etag(replaced)).isNotEqualTo(etag(read));
    assertThat(server.get(HEAD).body()).isEqualTo("two");

    assertThat(send("DELETE", HEAD, "").statusCode()).isEqualTo(204);
    assertThat(server.get(HEAD).statusCode()).isEqualTo(404);
    assertThat(code(server.get(HEAD))).isEqualTo("no-such-object");
  }

  @Test
  void headTellsWhoseTheVersionIs() {
    Instant before = Instant.now().minusSeconds(1);
    send("PUT", HEAD, "one", "If-None-Match", "*", "Tidemark-Attempt", "mine");
    HttpResponse<String> head = send("HEAD", HEAD, "");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValue("Tidemark-Attempt")).contains("mine");
    assertThat(head.headers().firstValue("Content-Length")).contains("3");
    assertThat(head.headers().firstValue("Last-Modified")).isPresent();
    Optional<Instant> modified =
        head.headers().firstValue("Tidemark-Modified").flatMap(UtcTimestamp::parse);
    assertThat(modified.orElseThrow()).isBetween(before, before.plus(Duration.ofMinutes(1)));

    HttpResponse<String> absent = send("HEAD", HEAD + "x", "");
    assertThat(absent.statusCode()).isEqualTo(404);
    assertThat(absent.headers().firstValue("Tidemark-Problem")).contains("no-such-object");
  }

  @Test
  void whoLosesTheRaceIsToldWhatIsThere() {
    String first = etag(send("PUT", HEAD, "one", "If-None-Match", "*"));
    HttpResponse<String> second = send("PUT", HEAD, "two", "If-None-Match", "*");
    assertThat(second.statusCode()).isEqualTo(412);
    assertThat(code(second)).isEqualTo("precondition-failed");
    assertThat('"' + RunningServer.json(second).path("etag").asText() + '"').isEqualTo(first);

    HttpResponse<String> third = send("PUT", HEAD, "two", "If-Match", "\"other\"");
    assertThat(third.statusCode()).isEqualTo(412);
    HttpResponse<String> gone = send("DELETE", HEAD + "x", "", "If-Match", first);
    assertThat(gone.statusCode()).isEqualTo(412);
    assertThat(RunningServer.json(gone).has("etag")).isFalse();
    assertThat(server.get(HEAD).body()).isEqualTo("one");
  }

  @Test
  void whatCannotBeMeantIsRefused() {
    assertThat(code(send("PUT", HEAD, "x", "If-Match", "*"))).isEqualTo("invalid-request");
    assertThat(code(send("PUT", HEAD, "x", "If-None-Match", "\"a\""))).isEqualTo("invalid-request");
    assertThat(code(send("PUT", HEAD, "x", "If-None-Match", "*", "Tidemark-Attempt", "a b")))
        .isEqualTo("invalid-request");
    assertThat(code(server.get("/v1/objects/"))).isEqualTo("invalid-key");
    assertThat(code(server.get("/v1/objects/ledgers//x"))).isEqualTo("bad-message");
    assertThat(code(server.get("/v1/objects?depth=deep"))).isEqualTo("invalid-request");
    assertThat(code(server.get("/v1/objects?cursor=%21"))).isEqualTo("invalid-request");
    HttpRequest chunked =
        HttpRequest.newBuilder(server.uri(HEAD))
            .PUT(BodyPublishers.fromPublisher(BodyPublishers.ofString("x")))
            .header("If-None-Match", "*")
            .build();
    HttpResponse<String> unsaid = server.send(chunked);
    assertThat(unsaid.statusCode()).isEqualTo(411);
    assertThat(code(unsaid)).isEqualTo("length-required");
  }

  /** Both what is read first and what goes to the store as it comes. */
  @ParameterizedTest
  @ValueSource(ints = {100, 3 << 20})
  void historyIsNeverReplacedButMayBeWrittenAgain(int size) {
    String commit = "/v1/objects/ledgers/acme/commits/1-ab/entities/A.parquet";
    String bytes = "x".repeat(size);
    String first = etag(send("PUT", commit, bytes));
    assertThat(send("PUT", commit, bytes, "If-None-Match", "*").statusCode()).isEqualTo(412);
    assertThat(send("PUT", commit, bytes, "If-Match", first).statusCode()).isEqualTo(403);
    for (String other : List.of("y" + bytes.substring(1), bytes + "x", bytes.substring(1), "")) {
      HttpResponse<String> refused = send("PUT", commit, other);
      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(code(refused)).isEqualTo("refused-write");
      assertThat(RunningServer.json(refused).path("detail").asText())
          .isEqualTo(
              "ledgers/acme/commits/1-ab/entities/A.parquet is part of the history, which is never"
                  + " replaced; it can only be created");
    }
    assertThat(etag(send("HEAD", commit, ""))).isEqualTo(first);

    HttpResponse<String> again = send("PUT", commit, bytes, "Tidemark-Attempt", "again");
    assertThat(again.statusCode()).isEqualTo(204);
    HttpResponse<String> head = send("HEAD", commit, "");
    assertThat(etag(head)).isEqualTo(etag(again)).isNotEqualTo(first);
    assertThat(head.headers().firstValue("Tidemark-Attempt")).contains("again");
    assertThat(server.get(commit).body()).isEqualTo(bytes);
  }

  @Test
  void theRecordsOfNamesAreNotReachable() {
    for (String key :
        List.of(
            "ns@v2/acme/main.json",
            "ns-sync/remotes/origin.json",
            "ledgers/acme",
            "ledgers/acme/other/x",
            "ledgers/a%252fb/meta/head.json",
            "ledgers/%252E%252E/meta/head.json",
            "events",
            "events/default",
            "elsewhere/x")) {
      for (String method : List.of("GET", "PUT", "DELETE")) {
        HttpResponse<String> answer = send(method, "/v1/objects/" + key, "");
        assertThat(answer.statusCode()).as(method + " " + key).isEqualTo(404);
        assertThat(code(answer)).as(method + " " + key).isEqualTo("unreachable-key");
      }
    }
  }

  @Test
  void aListingHasPagesAndGroups() {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      keys.add("events/default/e" + i);
      send("PUT", "/v1/objects/events/default/e" + i, "x");
    }
    send("PUT", "/v1/objects/events/other/e", "x");
    send("PUT", HEAD, "x", "If-None-Match", "*");

    List<String> listed = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page =
          RunningServer.json(server.get("/v1/objects?prefix=events/default/&limit=2" + cursor));
      assertThat(page.path("items").size()).isLessThanOrEqualTo(2);
      page.path("items").forEach(item -> listed.add(item.path("key").asText()));
      cursor = page.has("next") ? "&cursor=" + encoded(page.path("next").asText()) : "";
    } while (!cursor.isEmpty());
    assertThat(listed).isEqualTo(keys);

    JsonNode after =
        RunningServer.json(server.get("/v1/objects?prefix=events/&after=events/default/e3"));
    assertThat(after.path("items").findValuesAsText("key"))
        .containsExactly("events/default/e4", "events/other/e");
    JsonNode groups = RunningServer.json(server.get("/v1/objects?prefix=events/&depth=children"));
    assertThat(groups.path("items").findValuesAsText("group"))
        .containsExactly("events/default/", "events/other/");
    JsonNode top = RunningServer.json(server.get("/v1/objects?depth=children"));
    assertThat(top.path("items").findValuesAsText("group")).containsExactly("events/", "ledgers/");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void aServerWithoutAnObjectStoreSaysSo() {
    ServerResources names =
        new ServerResources(NameService.open("memory:"), Optional.empty(), Optional.empty());
    try (RunningServer bare = new RunningServer(names)) {
      HttpResponse<String> answer = bare.get("/v1/objects");
      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(code(answer)).isEqualTo("no-objects");
    }
  }
}
