// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.server.RunningServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Collections, features and their history over HTTP. */
final class FeatureRoutesTest extends FeatureRoutesFixture {

  @Test
  void aServerWithoutFeaturesSaysHowToGetThem() {
    try (RunningServer names = RunningServer.inMemory()) {
      JsonNode problem = problem(404, "no-features", names.get("/v1/collections"));
      assertThat(problem.path("detail").asText()).contains("--features embedded");
    }
  }

  @Test
  void aCollectionIsMadeChangedHiddenBroughtBackAndDropped() {
    String id = collection();
    String path = "/v1/collections/" + id;
    assertThat(ok(server.get(path)).path("historyEnabled").asBoolean()).isTrue();

    JsonNode there = problem(409, "already-exists", server.send("PUT", path, "{}"));
    assertThat(there.path("actual").path("id").asText()).isEqualTo(id);

    assertThat(ok(server.send("PATCH", path, "{\"maxAge\": 7}")).path("maxAge").asLong())
        .isEqualTo(7);
    assertThat(
            ok(server.send("PUT", path + "/history", "{\"enabled\": false}"))
                .path("historyEnabled")
                .asBoolean())
        .isFalse();
    assertThat(ok(server.send("DELETE", path, "")).path("deleted").asText()).isEqualTo(id);
    assertThat(ok(server.send("DELETE", path, "")).path("absent").asText()).isEqualTo(id);
    assertThat(server.get("/v1/collections?limit=1000").body()).doesNotContain('"' + id + '"');
    assertThat(server.get("/v1/collections?deleted=true&limit=1000").body())
        .contains('"' + id + '"');
    problem(404, "collection-not-found", server.send("POST", all(id), point("x", "x")));
    assertThat(ok(server.send("POST", path + "/restore", "")).path("maxAge").asLong()).isEqualTo(7);
    assertThat(ok(server.send("POST", path + "/purge", "")).path("purged").asText()).isEqualTo(id);
    problem(404, "collection-not-found", server.get(path));
  }

  @Test
  void collectionsAreListedInPages() {
    for (int i = 0; i < 3; i++) {
      collection();
    }
    List<String> found = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = ok(server.get("/v1/collections?limit=2" + cursor));
      page.path("items").forEach(item -> found.add(item.path("id").asText()));
      cursor = page.has("next") ? "&cursor=" + page.path("next").asText() : "";
    } while (!cursor.isEmpty());
    assertThat(found).isSorted().doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void aFeatureComesBackAsItWasSent() {
    String collection = collection();
    String sent =
        "{\"type\": \"Feature\", \"id\": \"a/b\", \"geometry\": {\"type\": \"LineString\","
            + " \"coordinates\": [[1.0, 2.50, 3], [1.25, 2.5, 4]]}, \"properties\": {\"n\": 1.50,"
            + " \"big\": 12345678901234567890, \"nothing\": null, \"ünïcode\": \"→\"}}";
    HttpResponse<String> written = server.send("PUT", all(collection) + "/a%2Fb", sent);
    assertThat(written.statusCode()).isEqualTo(201);
    assertThat(written.headers().firstValue("Content-Type")).contains("application/geo+json");

    HttpResponse<String> read = server.get(all(collection) + "/a%2Fb");
    assertThat(read.body())
        .contains("\"n\":1.50", "\"big\":12345678901234567890", "\"nothing\":null", "\"→\"")
        .contains("[[1.0,2.5,3.0],[1.25,2.5,4.0]]");
    String tag = read.headers().firstValue("ETag").orElseThrow();
    assertThat(tag).isEqualTo('"' + uuid(ok(read)) + '"').startsWith("\"store:" + collection);
    HttpResponse<String> known = send("GET", all(collection) + "/a%2Fb", "", "If-None-Match", tag);
    assertThat(known.statusCode()).isEqualTo(304);
    assertThat(known.body()).isEmpty();
  }

  @Test
  void aTransactionNumberIsTextOnRequest() {
    String collection = collection();
    long txn = xyz(put(collection, "a", "x")).path("txn").asLong();
    JsonNode asText = ok(server.get(all(collection) + "/a?numbers=string"));
    assertThat(xyz(asText).path("txn").isTextual()).isTrue();
    assertThat(xyz(asText).path("txn").asText()).isEqualTo(Long.toString(txn));
    HttpResponse<String> streamed =
        send("GET", all(collection) + "?numbers=string", "", "Accept", "application/geo+json-seq");
    assertThat(streamed.body()).contains("\"txn\":\"" + txn + '"');
    assertThat(server.get("/v1/collections/" + collection + "/export?numbers=string").body())
        .contains("\"txn\":\"" + txn + '"');
  }

  @Test
  void anETagHoldsAWriteToTheStateItWasMadeFrom() {
    String collection = collection();
    String path = all(collection) + "/a";
    String first = uuid(put(collection, "a", "one"));

    JsonNode created =
        problem(412, "conflict", send("PUT", path, point("a", "x"), "If-None-Match", "*"));
    assertThat(uuid(created.path("actual"))).isEqualTo(first);

    JsonNode second = ok(send("PUT", path, point("a", "two"), "If-Match", '"' + first + '"'));
    assertThat(xyz(second).path("version").asLong()).isEqualTo(2);

    HttpResponse<String> late =
        send("PUT", path, point("a", "three"), "If-Match", '"' + first + '"');
    JsonNode conflict = problem(412, "conflict", late);
    assertThat(conflict.path("actual").path("properties").path("name").asText()).isEqualTo("two");
    assertThat(late.headers().firstValue("ETag")).contains('"' + uuid(second) + '"');

    problem(412, "conflict", send("DELETE", path, "", "If-Match", '"' + first + '"'));
    JsonNode deleted = ok(send("DELETE", path, "", "If-Match", '"' + uuid(second) + '"'));
    assertThat(deleted.path("rows").get(0).path("result").asText()).isEqualTo("deleted");
    problem(404, "not-found", server.get(path));
    assertThat(ok(server.get(path + "?deleted=true")).path("id").asText()).isEqualTo("a");
    problem(412, "conflict", send("PUT", path, point("a", "x"), "If-Match", "*"));
    assertThat(ok(server.send("DELETE", path, "")).path("rows").get(0).path("result").asText())
        .isEqualTo("retained");
  }

  @Test
  void aBatchIsDoneAsAWhole() {
    String collection = collection();
    ok(
        server.send(
            "POST",
            all(collection),
            "{\"type\": \"FeatureCollection\", \"features\": [%s, %s, %s]}"
                .formatted(point("a", "1"), point("b", "1"), point("c", "1"))));
    String a = uuid(ok(server.get(all(collection) + "/a")));
    String mixed =
        ("{\"writes\": [{\"op\": \"update\", \"feature\": %s, \"expect\": \"%s\"},"
                + " {\"op\": \"create\", \"feature\": %s}, {\"op\": \"delete\", \"id\": \"b\"},"
                + " {\"op\": \"purge\", \"id\": \"c\"}, {\"op\": \"upsert\", \"feature\": %s}],"
                + " \"messages\": {\"ticket\": \"42\"}}")
            .formatted(point("a", "2"), a, point("d", "1"), point("e", "1"));
    JsonNode done = ok(server.send("POST", all(collection), mixed));
    assertThat(done.path("committed").asBoolean()).isTrue();
    assertThat(done.path("rows").findValuesAsText("result"))
        .containsExactly("updated", "created", "deleted", "purged", "created");
    JsonNode logged =
        ok(server.get("/v1/transactions?message=ticket&limit=1")).path("items").get(0);
    assertThat(logged.path("txn").asLong()).isEqualTo(done.path("txn").asLong());

    JsonNode refused = problem(409, "conflict", server.send("POST", all(collection), mixed));
    assertThat(refused.path("committed").asBoolean(true)).isFalse();
    assertThat(refused.path("rows").findValuesAsText("result"))
        .containsExactly("conflict", "conflict", "retained", "retained", "updated");
    assertThat(refused.path("rows").get(0).path("actual").path("properties").path("name").asText())
        .isEqualTo("2");
    assertThat(xyz(ok(server.get(all(collection) + "/e"))).path("version").asLong()).isEqualTo(1);

    JsonNode missing =
        problem(
            404,
            "not-found",
            server.send(
                "POST",
                all(collection),
                "{\"writes\": [{\"op\": \"update\", \"feature\": %s}]}"
                    .formatted(point("none", "1"))));
    assertThat(missing.path("rows").get(0).path("result").asText()).isEqualTo("missing");

    JsonNode unknown =
        problem(
            400,
            "invalid-feature",
            server.send(
                "POST",
                all(collection),
                "{\"writes\": [{\"op\": \"create\", \"feature\": %s}, {\"op\": \"FOO\", \"id\": \"f\"}]}"
                    .formatted(point("new", "1"))));
    assertThat(unknown.path("rows").findValuesAsText("result"))
        .containsExactly("created", "invalid");
    assertThat(unknown.path("rows").get(1).path("message").asText())
        .contains("there is no operation 'FOO'");
    assertThat(server.get(all(collection) + "/new").statusCode()).isEqualTo(404);
  }

  @Test
  void pagesAreOfTheMomentOfTheFirst() {
    String collection = collection();
    for (String id : List.of("a", "b", "c", "d", "e")) {
      put(collection, id, "before");
    }
    JsonNode first = ok(server.get(all(collection) + "?limit=2"));
    assertThat(ids(first)).isEqualTo("a b");
    put(collection, "c", "after");
    ok(server.send("DELETE", all(collection) + "/d", ""));
    put(collection, "bb", "after");
    JsonNode second =
        ok(server.get(all(collection) + "?limit=2&cursor=" + first.path("next").asText()));
    assertThat(ids(second)).isEqualTo("c d");
    assertThat(second.path("features").get(0).path("properties").path("name").asText())
        .isEqualTo("before");
    JsonNode third =
        ok(server.get(all(collection) + "?limit=2&cursor=" + second.path("next").asText()));
    assertThat(ids(third)).isEqualTo("e");
    assertThat(third.path("next").isNull()).isTrue();
    problem(
        400,
        "invalid-request",
        server.get(
            all(collection) + "?limit=2&deleted=true&cursor=" + first.path("next").asText()));
  }

  @Test
  void featuresAreFoundByPlaceTagsAndProperties() {
    String collection = collection();
    ok(
        server.send(
            "POST",
            all(collection),
            "{\"type\": \"FeatureCollection\", \"features\": [%s, %s]}"
                .formatted(
                    point("near", "Main").replace("{\"name\"", tagged("red") + "\"name\""),
                    point("far", "Side").replace("8.5, 50.25", "-70, 10"))));
    String path = all(collection);
    assertThat(ids(ok(server.get(path + "?bbox=8,50,9,51")))).isEqualTo("near");
    assertThat(ids(ok(server.get(path + "?near=8.5,50.25,10")))).isEqualTo("near");
    String geometry = "{\"type\":\"Point\",\"coordinates\":[8.5001,50.25]}";
    assertThat(ids(ok(server.get(path + "?geometry=" + encoded(geometry))))).isEmpty();
    assertThat(ids(ok(server.get(path + "?radius=100&geometry=" + encoded(geometry)))))
        .isEqualTo("near");
    assertThat(ids(ok(server.get(path + "?tile=1202")))).isEqualTo("near");
    assertThat(ids(ok(server.get(path + "?hereTile=122")))).isEqualTo("near");
    assertThat(ids(ok(server.get(path + "?hereTile=122&outside=true")))).isEqualTo("far");
    assertThat(ids(ok(server.get(path + "?tags=red,blue")))).isEqualTo("near");
    assertThat(ids(ok(server.get(path + "?where=" + encoded("p.name='Side'"))))).isEqualTo("far");
    assertThat(ids(ok(server.get(path + "?order=-id")))).isEqualTo("near far");
    assertThat(ids(ok(server.get(path + "?id=far&id=gone")))).isEqualTo("far");
    JsonNode selected = ok(server.get(path + "?select=p.other&id=far"));
    assertThat(selected.path("features").get(0).path("properties").has("name")).isFalse();
    String several =
        "{\"collections\": [\"%s\"], \"bbox\": [8, 50, 9, 51], \"where\": \"p.name=Main\"}"
            .formatted(collection);
    assertThat(ids(ok(server.send("POST", "/v1/features/query", several)))).isEqualTo("near");
    assertThat(
            ok(server.send("POST", "/v1/features/query?explain=true", several)).path("plan").size())
        .isPositive();
    HttpResponse<String> streamed =
        server.send(
            HttpRequest.newBuilder(server.uri("/v1/features/query"))
                .header("Accept", "application/geo+json-seq")
                .POST(BodyPublishers.ofString("{\"collections\": [\"%s\"]}".formatted(collection)))
                .build());
    assertThat(streamed.body().lines()).hasSize(2).allMatch(line -> line.startsWith("\u001e{"));
  }

  private static String tagged(String tag) {
    return "{\"@ns:com:here:xyz\": {\"tags\": [\"%s\"]}, ".formatted(tag);
  }

  @Test
  void thePastIsThere() {
    String collection = collection();
    JsonNode one = put(collection, "a", "one");
    JsonNode two = put(collection, "a", "two");
    ok(server.send("DELETE", all(collection) + "/a", ""));
    String path = all(collection) + "/a";
    JsonNode then = ok(server.get(path + "/at/" + xyz(one).path("txn").asText()));
    assertThat(then.path("properties").path("name").asText()).isEqualTo("one");
    problem(404, "not-found", server.get(path + "/at/" + Instant.now().plusSeconds(60)));
    assertThat(ids(ok(server.get(all(collection) + "?at=" + xyz(two).path("txn").asText()))))
        .isEqualTo("a");
    assertThat(ids(ok(server.get(all(collection) + "?versions=true")))).isEqualTo("a a a");
    JsonNode states = ok(server.get(path + "/history"));
    assertThat(states.findValuesAsText("action")).containsExactly("CREATE", "UPDATE", "DELETE");
    JsonNode activity = ok(server.get(path + "/activity"));
    assertThat(
            activity
                .path("features")
                .get(1)
                .path("properties")
                .path("@ns:com:here:xyz:log")
                .path("diff")
                .path("ops")
                .get(0)
                .path("value")
                .asText())
        .isEqualTo("one");
    JsonNode state = ok(server.get("/v1/guids/" + encoded(uuid(one))));
    assertThat(state.path("properties").path("name").asText()).isEqualTo("one");
    problem(404, "not-found", server.get("/v1/guids/store:" + collection + ":2026:1:1:999999"));
    String known = "\"" + uuid(one) + "\"";
    for (String same :
        List.of(path + "/at/" + xyz(one).path("txn").asText(), "/v1/guids/" + encoded(uuid(one)))) {
      assertThat(send("GET", same, "", "If-None-Match", known).statusCode()).isEqualTo(304);
    }
    problem(404, "not-found", server.get(all(collection) + "/never/history"));
    JsonNode found =
        ok(
            server.send(
                "POST",
                "/v1/collections/" + collection + "/lookup",
                "{\"ids\": [\"x\", \"a\"], \"at\": \"%s\"}"
                    .formatted(xyz(two).path("txn").asText())));
    assertThat(ids(found)).isEqualTo("a");
    assertThat(found.path("missing").get(0).asText()).isEqualTo("x");
  }

  @Test
  void whoWritesIsWhoTheHeadersSay() {
    String collection = collection();
    JsonNode state =
        ok(
            send(
                "PUT",
                all(collection) + "/a",
                point("a", "x"),
                "Tidemark-App",
                "maps",
                "Tidemark-Author",
                "J%C3%BCrgen%20K.",
                "X-Request-Id",
                "req-7"));
    assertThat(xyz(state).path("app_id").asText()).isEqualTo("maps");
    assertThat(xyz(state).path("author").asText()).isEqualTo("Jürgen K.");
    assertThat(xyz(state).path("stream_id").asText()).isEqualTo("req-7");
  }

  @Test
  void aReadSeesAtLeastTheTransactionItNames() {
    String collection = collection();
    String txn = xyz(put(collection, "a", "x")).path("txn").asText();
    assertThat(ids(ok(server.get(all(collection) + "?minTxn=" + txn)))).isEqualTo("a");
    problem(400, "invalid-request", server.get(all(collection) + "?minTxn=yesterday"));
  }

  /** Two servers on one storage, or one that was restarted. */
  @Test
  void featuresWithoutIdsAreMadeOnceUnderAKeyWhicheverServerIsAsked() {
    String all = all(collection());
    String nameless = point("x", "%s").replace(", \"id\": \"x\"", "");
    String several =
        "{\"type\": \"FeatureCollection\", \"features\": [%s, %s, %s]}"
            .formatted(nameless.formatted("a"), nameless.formatted("a"), point("own", "b"));
    String created =
        "{\"writes\": [{\"op\": \"create\", \"feature\": %s}]}".formatted(nameless.formatted("c"));
    ok(send("POST", all, several, "Idempotency-Key", "k"));
    ok(send("POST", all, created, "Idempotency-Key", "other"));
    String made = ids(ok(server.get(all)));
    assertThat(made.split(" ")).hasSize(4).contains("own");
    try (RunningServer another = new RunningServer(holdings())) {
      HttpRequest.Builder again =
          HttpRequest.newBuilder(another.uri(all)).header("Idempotency-Key", "k");
      ok(another.send(again.POST(BodyPublishers.ofString(several)).build()));
      again.setHeader("Idempotency-Key", "other");
      problem(409, "conflict", another.send(again.POST(BodyPublishers.ofString(created)).build()));
    }
    assertThat(ids(ok(server.get(all)))).isEqualTo(made);
    ok(send("POST", all, nameless.formatted("a"), "Idempotency-Key", "third"));
    ok(server.send("POST", all, nameless.formatted("a")));
    assertThat(ids(ok(server.get(all))).split(" ")).hasSize(6);
  }

  @Test
  void theHistoryOfAFeatureComesInPages() {
    String collection = collection();
    String path = all(collection) + "/a";
    for (int i = 1; i <= 5; i++) {
      put(collection, "a", "n" + i);
    }
    assertThat(server.send("DELETE", path, "").statusCode()).isEqualTo(200);
    put(collection, "a", "again");
    for (String list : List.of("/history", "/activity")) {
      JsonNode whole = ok(server.get(path + list)).path("features");
      assertThat(whole).hasSize(7);
      List<JsonNode> found = new ArrayList<>();
      JsonNode page = ok(server.get(path + list + "?limit=2"));
      for (; page.path("next").isTextual(); page = next(path + list, page)) {
        assertThat(page.path("features")).hasSize(2);
        page.path("features").forEach(found::add);
      }
      page.path("features").forEach(found::add);
      assertThat(found).containsExactlyElementsOf(whole);
    }
    problem(400, "invalid-request", server.get(path + "/history?cursor=bm9uZQ"));
    problem(400, "invalid-request", server.get(path + "/activity?limit=1001"));
  }

  private static JsonNode next(String path, JsonNode page) {
    return ok(server.get(path + "?limit=2&cursor=" + page.path("next").textValue()));
  }
}
