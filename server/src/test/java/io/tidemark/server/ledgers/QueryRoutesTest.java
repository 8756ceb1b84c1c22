// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.OpenOptions;
import io.tidemark.Tidemark;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.AsOf;
import io.tidemark.api.ledger.QueryRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries and SQL over HTTP. */
final class QueryRoutesTest {

  private static final String LINES = "application/x-ndjson";

  @TempDir private static Path directory;
  private static LedgerTestServer house;

  /** Commit 1 has three customers, 2 makes one older, 3 has a plan and who uses it. */
  @BeforeAll
  static void start() {
    house = new LedgerTestServer(directory).withCustomers();
    house.post(
        "/v1/ledgers/crm/commits",
        "{\"type\":\"Customer\",\"rows\":[{\"id\":\"c1\",\"age\":31,\"tier\":\"Gold\",\"note\":1}]}");
    house.post(
        "/v1/ledgers/crm/commits",
        """
        {"rows":[
          {"type_kind":"entity","type_name":"Plan","fields":{"id":"p1","price":5}},
          {"type_kind":"relation","type_name":"Uses","left_key":"c1","right_key":"p1",
           "fields":{"seats":2}}]}
        """);
  }

  @AfterAll
  static void stop() {
    house.close();
  }

  private static HttpResponse<String> query(String body) {
    return house.post("/v1/ledgers/crm/query", body);
  }

  private static HttpResponse<String> sql(String body) {
    return house.post("/v1/ledgers/crm/sql", body);
  }

  @Test
  void rowsAreFoundAndOrdered() {
    JsonNode page =
        house.ask(
            """
            {"type":"Customer","where":["age > 30","tier = \\"Gold\\""],"order":"age desc"}
            """);
    assertThat(house.keys(page)).containsExactly("c3", "c1");
    assertThat(page.path("commit_id").asLong()).isEqualTo(3);
    assertThat(page.path("next").isNull()).isTrue();
    assertThat(page.path("rows").get(1).toString())
        .isEqualTo(
            "{\"type_kind\":\"entity\",\"type_name\":\"Customer\",\"key\":\"c1\",\"commit_id\":2,"
                + "\"fields\":{\"age\":31,\"id\":\"c1\",\"note\":1,\"tier\":\"Gold\"}}");
  }

  @Test
  void queriesAreCountedByHowTheyEnd() {
    house.ask("{\"type\":\"Customer\"}");
    sql("{\"sql\":\"SELECT no_such_column FROM Customer\"}");
    // A request is counted when it is over, which its caller may know before.
    await()
        .untilAsserted(
            () ->
                assertThat(house.server.get("/metrics").body())
                    .contains("tidemark_queries_seconds_count{kind=\"query\",result=\"ok\"}")
                    .contains("tidemark_queries_seconds_count{kind=\"sql\",result=\"refused\"}"));
  }

  @Test
  void pagesAreOfOneCommit() {
    JsonNode first = house.ask("{\"type\":\"Customer\",\"order\":\"age\",\"limit\":2}");
    assertThat(house.keys(first)).containsExactly("c1", "c2");
    JsonNode second =
        house.ask(
            "{\"type\":\"Customer\",\"order\":\"age\",\"limit\":2,\"cursor\":\"%s\"}"
                .formatted(first.path("next").asText()));
    assertThat(house.keys(second)).containsExactly("c3");
    assertThat(second.path("commit_id")).isEqualTo(first.path("commit_id"));
    assertThat(house.problem(query("{\"type\":\"Customer\",\"cursor\":\"x\"}")))
        .isEqualTo("400 invalid-query");
    assertThat(house.problem(query("{\"type\":\"Customer\",\"limit\":5000}")))
        .isEqualTo("400 invalid-request");
  }

  @Test
  void readsOfThePastAreThoseOfTheLibrary() {
    OpenOptions data =
        OpenOptions.at(directory.resolve("data").toString())
            .withCache(Optional.of(directory.resolve("other-cache")));
    try (Tidemark library = Tidemark.open(data)) {
      for (long commit = 0; commit <= 4; commit++) {
        List<String> expected = new ArrayList<>();
        library
            .ledger("crm")
            .queries()
            .page(QueryRequest.of("Customer").asOf(AsOf.commit(commit)))
            .rows()
            .forEach(row -> expected.add(WireJson.text(row)));
        HttpResponse<String> lines =
            house.send(
                "POST",
                "/v1/ledgers/crm/query",
                "{\"type\":\"Customer\",\"asOf\":%d}".formatted(commit),
                "Accept",
                LINES);
        assertThat(lines.headers().firstValue("Content-Type")).contains(LINES);
        assertThat(lines.body().lines().toList()).isEqualTo(expected);
        JsonNode page = house.ask("{\"type\":\"Customer\",\"asOf\":\"%d\"}".formatted(commit));
        List<String> paged = new ArrayList<>();
        page.path("rows").forEach(row -> paged.add(row.toString()));
        assertThat(paged).isEqualTo(expected);
      }
    }
    assertThat(house.keys(house.ask("{\"type\":\"Customer\",\"asOf\":\"2000-01-01T00:00:00Z\"}")))
        .isEmpty();
    assertThat(house.problem(query("{\"type\":\"Customer\",\"asOf\":\"yesterday\"}")))
        .isEqualTo("400 invalid-request");
    assertThat(house.problem(query("{\"type\":\"Customer\",\"asOf\":1.5}")))
        .isEqualTo("400 invalid-request");
  }

  @Test
  void historiesAndEndsAreThere() {
    assertThat(
            house
                .ask("{\"type\":\"Customer\",\"where\":\"@key = 'c1'\",\"history\":true}")
                .path("rows")
                .findValuesAsText("commit_id"))
        .containsExactly("1", "2");
    assertThat(
            house
                .ask("{\"type\":\"Customer\",\"since\":1}")
                .path("rows")
                .findValuesAsText("commit_id"))
        .containsExactly("2");
    JsonNode relation =
        house
            .ask("{\"type\":\"Uses\",\"where\":\"left.tier = 'Gold'\",\"ends\":true}")
            .path("rows")
            .get(0);
    assertThat(relation.path("left").path("age").asLong()).isEqualTo(31);
    assertThat(relation.path("right").path("price").asLong()).isEqualTo(5);
    assertThat(house.problem(query("{\"type\":\"Customer\",\"since\":1,\"history\":true}")))
        .isEqualTo("400 invalid-request");
  }

  @Test
  void figuresAndGroupsAreCounted() {
    assertThat(
            house.ask("{\"type\":\"Customer\",\"count\":true,\"where\":\"age > 35\"}").toString())
        .isEqualTo("{\"count\":2}");
    assertThat(
            house
                .ask(
                    "{\"type\":\"Customer\",\"aggregate\":{\"n\":\"count\",\"oldest\":{\"max\":\"age\"},\"gold\":{\"countWhere\":\"tier"
                        + " = 'Gold'\"}}}")
                .toString())
        .isEqualTo("{\"figures\":{\"n\":3,\"oldest\":50,\"gold\":2}}");
    assertThat(
            house
                .ask(
                    "{\"type\":\"Customer\",\"groupBy\":\"tier\",\"aggregate\":{\"sum\":{\"sum\":\"age\"}},"
                        + "\"having\":{\"figure\":\"count\",\"is\":\">\",\"value\":1}}")
                .toString())
        .isEqualTo("{\"groups\":[{\"key\":{\"tier\":\"Gold\"},\"figures\":{\"sum\":81}}]}");
    assertThat(house.problem(query("{\"type\":\"Customer\",\"aggregate\":{\"n\":\"median\"}}")))
        .isEqualTo("400 invalid-request");
    assertThat(house.problem(query("{\"type\":\"Customer\",\"count\":true,\"limit\":1}")))
        .isEqualTo("400 invalid-request");
    assertThat(house.problem(query("{\"type\":\"Customer\",\"groupBy\":\"tier\"}")))
        .isEqualTo("400 invalid-request");
  }

  @Test
  void aStatementThatTakesTooMuchInOneCallIsEndedAlone() {
    for (String greedy :
        List.of(
            "SELECT length(printf('%2000000000d', 1))",
            "SELECT len(list_transform(range(0, 10000), lambda x: list_transform(range(0, 10000),"
                + " lambda y: x || y)))",
            "SELECT sum(levenshtein(repeat('ab', 10000) || a.range, repeat('a', 10000) || b.range))"
                + " FROM range(2000) a, range(2000) b")) {
      HttpResponse<String> response =
          house.send(
              "POST",
              "/v1/ledgers/crm/sql",
              "{\"sql\":\"%s\",\"timeoutMillis\":2000,\"memoryMegabytes\":200}".formatted(greedy));
      assertThat(house.problem(response)).as(greedy).matches("422 (sql-limit|query-stopped)");
      assertThat(house.ask("{\"type\":\"Customer\",\"count\":true}").toString())
          .isEqualTo("{\"count\":3}");
    }
  }

  @Test
  void whatIsWrongWithAQuestionIsTold() {
    HttpResponse<String> filter = query("{\"type\":\"Customer\",\"where\":\"tier = Gold\"}");
    assertThat(house.problem(filter)).isEqualTo("400 invalid-filter");
    assertThat(house.json(filter).path("position").asInt()).isEqualTo(7);
    assertThat(house.problem(query("{\"type\":\"Nobody\"}"))).isEqualTo("400 invalid-schema");
    assertThat(house.problem(query("{\"type\":\"Customer\",\"where\":\"size > 3\"}")))
        .isEqualTo("400 invalid-query");
    assertThat(house.problem(query("{\"type\":\"Customer\",\"order\":\"size\"}")))
        .isEqualTo("400 invalid-query");
    assertThat(house.problem(query("{\"type\":\"Customer\",\"order\":\"age up\"}")))
        .isEqualTo("400 invalid-request");
    assertThat(house.problem(query("{\"type\":\"Customer\",\"were\":\"age > 3\"}")))
        .isEqualTo("400 invalid-request");
    assertThat(house.problem(query("{}"))).isEqualTo("400 invalid-request");
    assertThat(house.problem(query("{"))).isEqualTo("400 invalid-request");
    assertThat(
            house.problem(
                house.send(
                    "POST",
                    "/v1/ledgers/crm/query",
                    "{\"type\":\"Customer\",\"where\":\"size > 3\"}",
                    "Accept",
                    LINES)))
        .isEqualTo("400 invalid-query");
  }

  @Test
  void aQuestionIsExplained() {
    assertThat(house.ask("{\"type\":\"Customer\",\"explain\":true}").path("engine").asText())
        .startsWith("duckdb on ");
    assertThat(
            house
                .json(sql("{\"sql\":\"SELECT * FROM Customer\",\"explain\":true}"))
                .path("steps")
                .asText())
        .contains("READ_PARQUET");
  }

  @Test
  void sqlIsAnsweredAsADocumentAndAsLines() {
    assertThat(
            sql("{\"sql\":\"SELECT id, age FROM Customer WHERE age > ? ORDER BY"
                    + " id\",\"parameters\":[35]}")
                .body()
                .strip())
        .isEqualTo(
            "{\"commit_id\":3,\"columns\":{\"id\":\"VARCHAR\",\"age\":\"BIGINT\"},"
                + "\"rows\":[{\"id\":\"c2\",\"age\":40},{\"id\":\"c3\",\"age\":50}]}");
    assertThat(
            house
                .send(
                    "POST",
                    "/v1/ledgers/crm/sql",
                    "{\"sql\":\"SELECT age FROM Customer WHERE id = 'c1'\",\"asOf\":1}",
                    "Accept",
                    LINES)
                .body())
        .isEqualTo("{\"age\":30}\n");
  }

  @Test
  void sqlThatMayNotBeIsRefused() {
    assertThat(house.problem(sql("{\"sql\":\"SELECT * FROM read_csv('/etc/passwd')\"}")))
        .isEqualTo("403 refused-sql");
    assertThat(house.problem(sql("{\"sql\":\"DROP TABLE Customer\"}")))
        .isEqualTo("403 refused-sql");
    assertThat(house.problem(sql("{\"sql\":\"SELECT * FROM Nobody\"}")))
        .isEqualTo("400 invalid-sql");
    assertThat(house.problem(sql("{\"sql\":\"SELEC\"}"))).isEqualTo("400 invalid-sql");
    assertThat(house.problem(sql("{\"sql\":\"SELECT ?\"}"))).isEqualTo("400 invalid-sql");
    assertThat(house.problem(sql("{\"sql\":\"SELECT 1\",\"asOf\":\"then\"}")))
        .isEqualTo("400 invalid-request");
  }

  @Test
  void sqlHasTheLimitsOfTheServerOrLess() {
    assertThat(house.problem(sql("{\"sql\":\"SELECT * FROM Customer\",\"maxRows\":2}")))
        .isEqualTo("422 sql-limit");
    assertThat(house.problem(sql("{\"sql\":\"SELECT 1\",\"maxRows\":1000000000}")))
        .isEqualTo("400 invalid-request");
    assertThat(house.problem(sql("{\"sql\":\"SELECT 1\",\"timeoutMillis\":3600000}")))
        .isEqualTo("400 invalid-request");
    HttpResponse<String> slow =
        sql(
            "{\"sql\":\"SELECT count(*) FROM range(100000000) a, range(100000000) b"
                + " WHERE a.range % 7 = b.range % 5\",\"timeoutMillis\":300}");
    assertThat(house.problem(slow)).isIn("422 sql-limit", "422 query-stopped");
  }

  @Test
  void wideNumbersAreTextOnRequest() {
    String ask = "{\"type\":\"Customer\",\"where\":\"@key = 'c3'\"}";
    assertThat(house.post("/v1/ledgers/crm/query?numbers=string", ask).body())
        .contains("\"note\":\"9007199254740993\"");
    assertThat(
            house.send("POST", "/v1/ledgers/crm/query?numbers=string", ask, "Accept", LINES).body())
        .contains("\"note\":\"9007199254740993\"");
    assertThat(house.post("/v1/ledgers/crm/query", ask).body())
        .contains("\"note\":9007199254740993");
  }

  @Test
  void anExportIsLinesThatCanBeImported() {
    HttpResponse<String> all = house.get("/v1/ledgers/crm/export");
    assertThat(all.headers().firstValue("Content-Type")).contains(LINES);
    assertThat(all.body().lines().collect(Collectors.toList())).hasSize(5);
    assertThat(house.get("/v1/ledgers/crm/export?type=Customer&asOf=1").body().lines().findFirst())
        .contains(
            "{\"fields\":{\"age\":30,\"id\":\"c1\",\"note\":1,\"tier\":\"Gold\"},\"key\":\"c1\","
                + "\"type_kind\":\"entity\",\"type_name\":\"Customer\"}");
    assertThat(house.get("/v1/ledgers/crm/export?type=Customer&historySince=1&withMetadata").body())
        .startsWith("{\"commit_id\":2,");
    assertThat(house.problem(house.get("/v1/ledgers/crm/export?type=Nobody")))
        .isEqualTo("400 invalid-schema");
    assertThat(house.get("/v1/ledgers/crm/export?asOf=2000-01-01T00:00:00Z").body()).isEmpty();
    assertThat(house.get("/v1/ledgers/crm/export?asOf=2999-01-01T00:00:00Z").body())
        .isEqualTo(house.get("/v1/ledgers/crm/export").body());
    for (String local : List.of("2999-01-01", "2999-01-01T00:00:00", "yesterday", "-1")) {
      assertThat(house.problem(house.get("/v1/ledgers/crm/export?asOf=" + local)))
          .as(local)
          .isEqualTo("400 invalid-request");
    }
    assertThat(house.problem(house.get("/v1/ledgers/crm/export?asOf=99")))
        .isEqualTo("404 not-found");
    assertThat(house.problem(house.get("/v1/ledgers/crm/export?asOf=1&historySince=1")))
        .isEqualTo("400 invalid-request");
    house.post("/v1/ledgers", "{\"ledger\":\"copy\"}");
    house.post("/v1/ledgers/copy/types", "{\"schema\":" + LedgerTestServer.SCHEMA + "}");
    assertThat(
            house.json(house.post("/v1/ledgers/copy/import", all.body())).path("status").asText())
        .isEqualTo("dry_run");
    JsonNode report =
        house.json(house.post("/v1/ledgers/copy/import?apply&message=copied", all.body()));
    assertThat(report.path("status").asText()).isEqualTo("applied");
    assertThat(report.path("inserts").asLong()).isEqualTo(5);
    assertThat(house.get("/v1/ledgers/copy/export").body().lines().sorted().toList())
        .isEqualTo(all.body().lines().sorted().toList());
    HttpResponse<String> again = house.post("/v1/ledgers/copy/import?apply", all.body());
    assertThat(house.problem(again)).isEqualTo("409 import-conflict");
    assertThat(house.json(again).path("report").path("conflicts").asLong()).isEqualTo(5);
    assertThat(
            house
                .json(house.post("/v1/ledgers/copy/import?apply&onConflict=upsert", all.body()))
                .path("unchanged")
                .asLong())
        .isEqualTo(5);
    HttpResponse<String> wrong = house.post("/v1/ledgers/copy/import?apply", all.body() + "{");
    assertThat(house.problem(wrong)).isEqualTo("400 invalid-value");
    assertThat(house.json(wrong).path("detail").asText()).startsWith("the body, line 6");
    assertThat(house.problem(house.post("/v1/ledgers/copy/import?onConflict=maybe", "")))
        .isEqualTo("400 invalid-request");
  }
}
