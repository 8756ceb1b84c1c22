// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.MemoryNameBackend;
import io.tidemark.server.RunningServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Names as a program sees them that knows nothing but HTTP and JSON. */
final class NameRoutesTest {

  private static final String FIRST =
      "{'expected':{'watermark':0,'payload':null},'next':{'watermark':1,'payload':{'id':'c1','t':1}}}";

  private static NamesServer names;

  @BeforeAll
  static void start() {
    names = new NamesServer(new MemoryNameBackend());
  }

  @AfterAll
  static void stop() {
    names.close();
  }

  @BeforeEach
  void empty() {
    names.serve(new MemoryNameBackend());
  }

  private static HttpResponse<String> send(String method, String path, String body) {
    return names.server().send(method, path, body.replace('\'', '"'));
  }

  private static HttpResponse<String> post(String path, String body) {
    return send("POST", path, body);
  }

  private static HttpResponse<String> get(String path) {
    return names.server().get(path);
  }

  private static HttpResponse<String> with(
      String method, String path, String body, String... headers) {
    return names
        .server()
        .send(
            HttpRequest.newBuilder(names.server().uri(path))
                .method(method, BodyPublishers.ofString(body.replace('\'', '"')))
                .headers(headers)
                .build());
  }

  private static JsonNode ok(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isBetween(200, 201);
    return RunningServer.json(response);
  }

  private static JsonNode problem(HttpResponse<String> response, int status, String code) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    JsonNode problem = RunningServer.json(response);
    assertThat(problem.path("code").asText()).isEqualTo(code);
    return problem;
  }

  private static String tag(HttpResponse<String> response) {
    return response.headers().firstValue("ETag").orElseThrow();
  }

  @Test
  void aRecordIsCreatedOnceShownRetractedRestoredAndPurged() {
    HttpResponse<String> created = post("/v1/names/acme%2Fcrm", "");
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(ok(created).path("address").asText()).isEqualTo("acme/crm:main");
    problem(post("/v1/names/acme%2Fcrm", ""), 409, "already-exists");
    HttpResponse<String> shown = get("/v1/names/acme%2Fcrm:main");
    assertThat(ok(shown)).isEqualTo(ok(created));
    assertThat(tag(shown)).isEqualTo(tag(created));
    assertThat(with("GET", "/v1/names/acme%2Fcrm", "", "If-None-Match", tag(shown)).statusCode())
        .isEqualTo(304);
    for (String part : List.of("/heads", "/status")) {
      HttpResponse<String> known = get("/v1/names/acme%2Fcrm" + part);
      assertThat(
              with("GET", "/v1/names/acme%2Fcrm" + part, "", "If-None-Match", tag(known))
                  .statusCode())
          .isEqualTo(304);
    }
    assertThat(ok(post("/v1/names/acme%2Fcrm/retract", "")).path("retracted").asBoolean()).isTrue();
    problem(send("PUT", "/v1/names/acme%2Fcrm/head", FIRST), 410, "retracted");
    assertThat(ok(post("/v1/names/acme%2Fcrm/restore", "")).path("retracted").asBoolean())
        .isFalse();
    assertThat(ok(send("DELETE", "/v1/names/acme%2Fcrm", "")).path("purged").asText())
        .isEqualTo("acme/crm:main");
    assertThat(ok(send("DELETE", "/v1/names/acme%2Fcrm", "")).path("purged").isNull()).isTrue();
    problem(get("/v1/names/acme%2Fcrm"), 404, "not-found");
    problem(post("/v1/names/acme%2Fcrm/retract", ""), 404, "not-found");
    problem(post("/v1/names/not%20valid", ""), 400, "invalid-address");
  }

  @Test
  void aConflictInABodyIs409WithTheActualState() {
    post("/v1/names/mydb", "");
    JsonNode updated = ok(send("PUT", "/v1/names/mydb/head", FIRST));
    assertThat(updated.path("now").path("watermark").asLong()).isEqualTo(1);
    JsonNode conflict = problem(send("PUT", "/v1/names/mydb/head", FIRST), 409, "conflict");
    assertThat(conflict.path("actual")).isEqualTo(updated.path("now"));
    JsonNode absent = problem(send("PUT", "/v1/names/nope/head", FIRST), 409, "conflict");
    assertThat(absent.path("actual").isNull()).isTrue();
  }

  @Test
  void aConflictInAHeaderIs412WithTheActualState() {
    post("/v1/names/mydb", "");
    String unborn = tag(get("/v1/names/mydb/head"));
    String next = "{'next':{'watermark':1,'payload':{'id':'c1','t':1}}}";
    HttpResponse<String> first = with("PUT", "/v1/names/mydb/head", next, "If-Match", unborn);
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(tag(first)).isEqualTo(tag(get("/v1/names/mydb/head")));
    HttpResponse<String> late = with("PUT", "/v1/names/mydb/head", next, "If-Match", unborn);
    JsonNode conflict = problem(late, 412, "conflict");
    assertThat(conflict.path("actual").path("watermark").asLong()).isEqualTo(1);
    assertThat(tag(late)).isEqualTo(tag(first));
    problem(with("PUT", "/v1/names/mydb/head", next, "If-None-Match", "*"), 412, "conflict");
    assertThat(with("PUT", "/v1/names/born/head", next, "If-None-Match", "*").statusCode())
        .isEqualTo(200);
    problem(send("PUT", "/v1/names/mydb/head", next), 400, "invalid-request");
    problem(
        with("PUT", "/v1/names/mydb/head", next, "If-None-Match", tag(late)),
        400,
        "invalid-request");
  }

  @Test
  void anAdvanceGoesForwardOnly() {
    post("/v1/names/mydb", "");
    String seven = "{'next':{'watermark':7,'payload':{'id':'c7','t':7}}}";
    ok(post("/v1/names/mydb/head/advance", seven));
    problem(post("/v1/names/mydb/head/advance", seven), 409, "conflict");
    problem(post("/v1/names/nope/head/advance", seven), 404, "not-found");
    problem(post("/v1/names/mydb/tail/advance", seven), 404, "no-route");
    problem(
        post("/v1/names/mydb/status/advance", "{'next':{'watermark':7,'payload':{'state':'x'}}}"),
        400,
        "invalid-payload");
  }

  @Test
  void aWriteUnderAKeyIsDoneOnce() {
    post("/v1/names/mydb", "");
    HttpResponse<String> first = with("PUT", "/v1/names/mydb/head", FIRST, "Idempotency-Key", "k1");
    HttpResponse<String> again = with("PUT", "/v1/names/mydb/head", FIRST, "Idempotency-Key", "k1");
    assertThat(ok(again)).isEqualTo(ok(first));
    HttpResponse<String> surely =
        with(
            "PUT",
            "/v1/names/mydb/head",
            FIRST,
            "Idempotency-Key",
            "k1",
            "Tidemark-Sent-Before",
            "true");
    assertThat(ok(surely)).isEqualTo(ok(first));
    problem(with("PUT", "/v1/names/mydb/head", FIRST, "Idempotency-Key", "k2"), 409, "conflict");
    problem(
        with(
            "PUT",
            "/v1/names/mydb/head",
            FIRST,
            "Idempotency-Key",
            "k3",
            "Tidemark-Sent-Before",
            "true"),
        409,
        "unknown-write");
    problem(
        with("PUT", "/v1/names/mydb/head", FIRST, "Idempotency-Key", "a b"),
        400,
        "invalid-request");
  }

  @Test
  void headsArePublishedComparedAndReset() {
    post("/v1/names/mydb", "");
    assertThat(ok(get("/v1/names/mydb/heads")).path("commit").isNull()).isTrue();
    ok(post("/v1/names/mydb/heads", "{'commit':{'id':'c1','t':1}}"));
    ok(post("/v1/names/mydb/heads", "{'commit':{'id':'c2','t':2},'expected':{'id':'c1','t':1}}"));
    problem(
        post("/v1/names/mydb/heads", "{'commit':{'id':'c3','t':3},'expected':{'id':'c1','t':1}}"),
        409,
        "conflict");
    ok(post("/v1/names/mydb/heads", "{'index':{'id':'i2','t':2}}"));
    problem(post("/v1/names/mydb/heads", "{'index':{'id':'i2','t':2}}"), 409, "conflict");
    ok(post("/v1/names/mydb/heads", "{'index':{'id':'i3','t':2},'allow_equal':true}"));
    problem(
        post("/v1/names/mydb/heads", "{'index':{'id':'i4','t':3},'expected':{'id':'i2','t':2}}"),
        409,
        "conflict");
    ok(post("/v1/names/mydb/heads", "{'index':{'id':'i4','t':3},'expected':{'id':'i3','t':2}}"));
    JsonNode heads = ok(get("/v1/names/mydb/heads"));
    assertThat(heads.path("commit").path("id").asText()).isEqualTo("c2");
    assertThat(heads.path("index").path("id").asText()).isEqualTo("i4");
    ok(post("/v1/names/mydb/reset", "{'commit':{'id':'c1','t':1}}"));
    heads = ok(get("/v1/names/mydb/heads"));
    assertThat(heads.path("commit").path("t").asLong()).isEqualTo(1);
    assertThat(heads.path("index").isNull()).isTrue();
    ok(post("/v1/names/mydb/reset", "{'commit':null,'index':null}"));
    problem(post("/v1/names/mydb/heads", "{}"), 400, "invalid-request");
    problem(get("/v1/names/nope/heads"), 404, "not-found");
  }

  @Test
  void branchesAreMadeListedAndDropped() {
    post("/v1/names/mydb", "");
    problem(post("/v1/names/mydb/branches", "{'branch':'dev'}"), 409, "refused");
    ok(post("/v1/names/mydb/heads", "{'commit':{'id':'c1','t':1}}"));
    assertThat(ok(post("/v1/names/mydb/branches", "{'branch':'dev'}")).path("source_branch"))
        .hasToString("\"main\"");
    ok(post("/v1/names/mydb:dev/branches", "{'branch':'leaf','at':{'id':'c0','t':1}}"));
    assertThat(addresses(ok(get("/v1/names/mydb/branches"))))
        .containsExactly("mydb:dev", "mydb:leaf", "mydb:main");
    assertThat(addresses(ok(get("/v1/names/mydb/children")))).containsExactly("mydb:dev");
    problem(send("DELETE", "/v1/names/mydb", ""), 409, "refused");
    assertThat(ok(post("/v1/names/mydb:dev/drop", "")).path("outcome").asText())
        .isEqualTo("deferred");
    JsonNode gone = ok(post("/v1/names/mydb:leaf/drop", ""));
    assertThat(gone.path("cascaded").toString()).isEqualTo("[\"mydb:dev\"]");
    assertThat(ok(post("/v1/names/mydb/drop?unfinished=true", "")).toString())
        .isEqualTo("{\"name\":\"mydb\",\"dropped\":[],\"retracted\":[]}");
    problem(post("/v1/names/mydb/drop", ""), 409, "refused");
    assertThat(ok(post("/v1/names/mydb/drop?whole=true", "")).path("outcome").asText())
        .isEqualTo("dropped");
    assertThat(
            ok(post("/v1/names/mydb/drop?whole=true&purge=true", "")).path("branches").toString())
        .isEqualTo("[\"mydb:main\"]");
  }

  @Test
  void aDropOfAllBranchesIsNoneOfUnfinishedOnes() {
    ok(post("/v1/names/mydb", ""));
    HttpResponse<String> both = post("/v1/names/mydb/drop?whole=true&purge&unfinished=true", "");
    problem(both, 400, "invalid-request");
    assertThat(both.body()).contains("say one of them");
    assertThat(ok(get("/v1/names/mydb")).path("retracted").asBoolean()).isFalse();
  }

  @Test
  void theFormerNameOfAParameterIsTakenInstead() {
    for (String words : List.of("hard=true", "purge=false&hard=false", "hard&purge")) {
      ok(post("/v1/names/old", ""));
      HttpResponse<String> dropped = post("/v1/names/old/drop?whole=true&" + words, "");
      if (words.equals("hard=true")) {
        assertThat(ok(dropped).path("branches").toString()).isEqualTo("[\"old:main\"]");
        problem(get("/v1/names/old"), 404, "not-found");
      } else {
        problem(dropped, 400, "invalid-request");
        assertThat(dropped.body()).contains("say purge alone");
        ok(post("/v1/names/old/drop?whole=true&purge", ""));
      }
    }
  }

  @Test
  void locksAreTakenRefreshedAndGivenBack() {
    post("/v1/names/mydb", "");
    String lock = "/v1/names/mydb/locks/index";
    assertThat(ok(get(lock)).path("result").asText()).isEqualTo("free");
    JsonNode mine = ok(post(lock, "{'holder':'me','lease_seconds':60,'target_t':9}"));
    assertThat(mine.path("epoch").asLong()).isEqualTo(1);
    JsonNode held = problem(post(lock, "{'holder':'you'}"), 409, "lock-held");
    assertThat(held.path("actual").path("holder").asText()).isEqualTo("me");
    assertThat(ok(send("PUT", lock, "{'epoch':1,'progress':0.5}")).path("progress").asDouble())
        .isEqualTo(0.5);
    problem(send("PUT", lock, "{'epoch':2}"), 409, "lock-lost");
    problem(send("PUT", lock, "{'epoch':1,'id':'of-another-record'}"), 409, "lock-lost");
    problem(send("DELETE", lock + "?epoch=1&id=of-another-record", ""), 409, "lock-lost");
    ok(send("PUT", lock, "{'epoch':1,'id':'" + mine.path("id").asText() + "'}"));
    String push = "{'expected':null,'next':{'watermark':1},'lock':{'purpose':'index','epoch':%d}}";
    problem(send("PUT", "/v1/names/mydb/index", push.formatted(2)), 409, "refused");
    problem(send("PUT", "/v1/names/mydb/index", push.formatted(1)), 409, "conflict");
    assertThat(ok(send("DELETE", lock + "?epoch=1", "")).path("result").asText())
        .isEqualTo("released");
    problem(send("DELETE", lock + "?epoch=1", ""), 409, "lock-lost");
    problem(get("/v1/names/mydb/locks/other"), 400, "invalid-request");
    problem(get("/v1/names/nope/locks/index"), 404, "not-found");
  }

  @Test
  void whatAHolderHasPushedIsntRefusedWhenItIsAskedAgain() {
    post("/v1/names/mydb", "");
    ok(post("/v1/names/mydb/locks/index", "{'holder':'me'}"));
    String lock = "'lock':{'purpose':'index','epoch':1}";
    String push =
        "{'expected':{'watermark':0},'next':{'watermark':1,'payload':{'id':'i1','t':1}},%s}"
            .formatted(lock);
    String advance = "{'next':{'watermark':2,'payload':{'id':'i2','t':2}},%s}".formatted(lock);
    String index = "/v1/names/mydb/index";
    ok(with("PUT", index, push, "Idempotency-Key", "w1"));
    ok(with("POST", index + "/advance", advance, "Idempotency-Key", "w2"));
    ok(send("DELETE", "/v1/names/mydb/locks/index?epoch=1", ""));
    problem(with("PUT", index, push, "Idempotency-Key", "w3"), 409, "refused");
    for (String repeated : List.of("w1", "w2")) {
      HttpResponse<String> answer =
          repeated.equals("w1")
              ? with("PUT", index, push, "Idempotency-Key", "w1", "Tidemark-Sent-Before", "true")
              : with("POST", index + "/advance", advance, "Idempotency-Key", "w2");
      assertThat(ok(answer).path("result").asText()).isEqualTo("updated");
    }
  }

  @Test
  void locksHaveBounds() {
    post("/v1/names/mydb", "");
    String lock = "/v1/names/mydb/locks/index";
    for (String body :
        List.of(
            "{'holder':'me','lease_seconds':0}",
            "{'holder':'me','lease_seconds':31536001}",
            "{'holder':'me','lease_seconds':99999999999999999999}",
            "{'holder':'me','lease_seconds':'long'}",
            "{'holder':'me','target_t':-1}",
            "{'holder':'me','target_t':99999999999999999999}",
            "{'holder':'me','target_t':'far'}")) {
      problem(post(lock, body), 400, "invalid-request");
    }
    ok(post(lock, "{'holder':'me','lease_seconds':31536000}"));
    for (String body :
        List.of(
            "{'epoch':18446744073709551617}", // 1, to who looks at 64 bits of it
            "{'epoch':-1}",
            "{'epoch':1,'progress':2}",
            "{'epoch':1,'progress':'half'}")) {
      problem(send("PUT", lock, body), 400, "invalid-request");
    }
  }

  @Test
  void listingsHavePagesAndFilters() {
    for (String name : List.of("a", "b", "c", "d")) {
      post("/v1/names/" + name, "");
    }
    ok(send("PUT", "/v1/names/b2/source", "{'type':'f:Bm25Index','config':{'k1':1.2}}"));
    post("/v1/names/c/retract", "");
    List<String> all = new ArrayList<>();
    String path = "/v1/names?limit=2";
    for (JsonNode page = ok(get(path)); ; page = ok(get(path))) {
      all.addAll(addresses(page));
      if (!page.has("next")) {
        break;
      }
      path = "/v1/names?limit=2&cursor=" + page.path("next").asText();
    }
    assertThat(all).containsExactly("a:main", "b2:main", "b:main", "c:main", "d:main");
    assertThat(listed("prefix=b")).containsExactly("b2:main", "b:main");
    assertThat(listed("kind=graph_source")).containsExactly("b2:main");
    assertThat(listed("type=f:Bm25Index")).containsExactly("b2:main");
    assertThat(listed("retracted=true")).containsExactly("c:main");
    assertThat(listed("retracted=false&kind=ledger")).containsExactly("a:main", "b:main", "d:main");
    assertThat(listed("state=retracted")).containsExactly("c:main");
    assertThat(listed("after=c")).containsExactly("c:main", "d:main");
    problem(get("/v1/names?kind=tree"), 400, "invalid-request");
    problem(get("/v1/names?limit=0"), 400, "invalid-request");
    problem(get("/v1/names?cursor=%C3%BC"), 400, "invalid-request");
  }

  private static List<String> listed(String query) {
    return addresses(ok(get("/v1/names?" + query)));
  }

  private static List<String> addresses(JsonNode page) {
    List<String> found = new ArrayList<>();
    page.path("items").forEach(record -> found.add(record.path("address").asText()));
    return found;
  }

  @Test
  void wideNumbersAreTextsOnRequestAlsoInConflicts() {
    post("/v1/names/mydb", "");
    ok(post("/v1/names/mydb/heads", "{'commit':{'id':'c','t':9007199254740993}}"));
    assertThat(ok(get("/v1/names/mydb/head?numbers=string")).path("watermark").isTextual())
        .isTrue();
    JsonNode conflict =
        problem(send("PUT", "/v1/names/mydb/head?numbers=string", FIRST), 409, "conflict");
    assertThat(conflict.path("actual").path("watermark").asText()).isEqualTo("9007199254740993");
    assertThat(ok(get("/v1/names/mydb/head")).path("watermark").isIntegralNumber()).isTrue();
  }

  @Test
  void aWholeRecordIsReplacedAndRemovedInOneState() {
    HttpResponse<String> made = post("/v1/names/mydb", "");
    String old = tag(made);
    String record = made.body().replace("\"branches\":0", "\"branches\":3");
    String path = "/v1/names/mydb/record";
    HttpResponse<String> put = with("PUT", path, record, "If-Match", old);
    assertThat(put.statusCode()).isEqualTo(204);
    HttpResponse<String> late = with("PUT", path, record, "If-Match", old);
    assertThat(problem(late, 412, "conflict").path("actual").path("branches").asInt()).isEqualTo(3);
    assertThat(tag(late)).isEqualTo(tag(put));
    problem(with("PUT", path, record, "If-None-Match", "*"), 412, "conflict");
    problem(with("PUT", "/v1/names/other/record", record, "If-Match", old), 400, "invalid-payload");
    problem(send("PUT", path, record), 400, "invalid-request");
    problem(with("DELETE", path, "", "If-Match", old), 412, "conflict");
    assertThat(with("DELETE", path, "", "If-Match", tag(put)).statusCode()).isEqualTo(204);
    problem(with("DELETE", path, "", "If-Match", tag(put)), 404, "not-found");
    assertThat(with("PUT", path, record, "If-None-Match", "*").statusCode()).isEqualTo(201);
  }

  @Test
  void countsAndTagsThatCannotBeAreInvalidAndNoFailure() {
    String record = post("/v1/names/mydb", "").body();
    String path = "/v1/names/mydb/record";
    for (String count : List.of("2147483648", "-1", "1e3")) {
      String wrong = record.replace("\"branches\":0", "\"branches\":" + count);
      problem(with("PUT", path, wrong, "If-Match", "*"), 400, "invalid-payload");
    }
    // An empty tag, one that no store could have given, and one that isn't ended.
    for (String tag : List.of("\"\"", "\"DQo\"", "\"")) {
      problem(with("PUT", path, record, "If-Match", tag), 412, "conflict");
      problem(with("PUT", "/v1/marker", "{'text':'x'}", "If-Match", tag), 412, "conflict");
      assertThat(with("GET", "/v1/names/mydb", "", "If-None-Match", tag).statusCode())
          .isEqualTo(200);
      assertThat(with("GET", "/v1/marker", "", "If-None-Match", tag).statusCode()).isIn(200, 204);
    }
  }

  @Test
  void whatAStoreKeepsBesideRecordsIsThereToo() {
    post("/v1/names/mydb", "");
    assertThat(ok(get("/v1/survey")).path("items").get(0).path("address").asText())
        .isEqualTo("mydb:main");
    HttpResponse<String> lines = post("/v1/migrate", "");
    assertThat(lines.body()).isEqualTo("{\"end\":true}\n");
    HttpResponse<String> written =
        with("PUT", "/v1/marker", "{'text':'x'}", "If-Match", "\"bm9uZQ\"");
    problem(written, 412, "conflict");
    problem(send("PUT", "/v1/marker", "{'text':'x'}"), 400, "invalid-request");
    // The server leaves word itself meanwhile.
    await()
        .untilAsserted(
            () -> {
              HttpResponse<String> marker = get("/v1/marker");
              assertThat(ok(marker).path("text").asText()).isNotEmpty();
              assertThat(with("GET", "/v1/marker", "", "If-None-Match", tag(marker)).statusCode())
                  .isEqualTo(304);
              assertThat(
                      with("PUT", "/v1/marker", "{'text':'x'}", "If-Match", tag(marker))
                          .statusCode())
                  .isEqualTo(204);
            });
  }
}
