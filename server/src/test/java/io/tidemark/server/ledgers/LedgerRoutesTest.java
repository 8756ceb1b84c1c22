// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.Address;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ledgers, types and commits over HTTP. */
final class LedgerRoutesTest {

  @TempDir private static Path directory;
  private static LedgerTestServer house;
  private static int made;

  /** The path of a ledger of the test's own. */
  private String crm;

  private String name;

  @BeforeAll
  static void start() {
    house = new LedgerTestServer(directory);
  }

  @BeforeEach
  void makeLedger() {
    name = "crm" + made++;
    crm = "/v1/ledgers/" + name;
    house.withCustomers(name);
  }

  @AfterAll
  static void stop() {
    house.close();
  }

  private JsonNode ask(String body) {
    HttpResponse<String> response = house.post(crm + "/query", body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return house.json(response);
  }

  @Test
  void ledgersAreListedInPages() {
    house.post("/v1/ledgers", "{\"ledger\":\"acme/a\"}");
    house.post("/v1/ledgers", "{\"ledger\":\"acme/b\"}");
    JsonNode first = house.json(house.get("/v1/ledgers?prefix=acme&limit=1"));
    assertThat(first.path("items").toString())
        .isEqualTo("[{\"ledger\":\"acme/a:main\",\"head_commit_id\":null}]");
    JsonNode second =
        house.json(
            house.get("/v1/ledgers?prefix=acme&limit=1&cursor=" + first.path("next").asText()));
    assertThat(second.path("items").findValuesAsText("ledger")).containsExactly("acme/b:main");
    assertThat(second.has("next")).isFalse();
    assertThat(house.json(house.get("/v1/ledgers")).path("items").findValuesAsText("ledger"))
        .contains("acme/a:main", "acme/b:main", name + ":main");
    assertThat(house.problem(house.get("/v1/ledgers?cursor=%25"))).isEqualTo("400 invalid-request");
  }

  @Test
  void aLedgerIsMadeOnceAndAnewOnlyByItsToken() {
    assertThat(house.problem(house.post("/v1/ledgers", "{\"ledger\":\"" + name + "\"}")))
        .isEqualTo("409 already-initialized");
    JsonNode plan =
        house.json(house.post("/v1/ledgers", "{\"ledger\":\"" + name + "\",\"dryRun\":true}"));
    assertThat(plan.path("already_initialized").asBoolean()).isTrue();
    assertThat(
            house.problem(
                house.post(
                    "/v1/ledgers",
                    "{\"ledger\":\"" + name + "\",\"force\":true,\"token\":\"guessed\"}")))
        .isEqualTo("400 invalid-token");
    HttpResponse<String> forced =
        house.post(
            "/v1/ledgers",
            "{\"ledger\":\"%s\",\"force\":true,\"token\":\"%s\"}"
                .formatted(name, plan.path("force_token").asText()));
    assertThat(forced.statusCode()).isEqualTo(201);
    assertThat(house.json(house.get(crm)).path("head_commit_id").isNull()).isTrue();
    assertThat(house.problem(house.post("/v1/ledgers", "{\"ledger\":\"a b\"}"))).startsWith("400 ");
    assertThat(house.problem(house.post("/v1/ledgers", "{\"name\":\"x\"}")))
        .isEqualTo("400 invalid-request");
  }

  @Test
  void aLedgerThatExistsIsGivenAName() {
    house.names.purge(Address.parse(name)); // the objects stay
    assertThat(house.problem(house.get(crm))).isEqualTo("404 not-found");
    HttpResponse<String> opened =
        house.post("/v1/ledgers", "{\"ledger\":\"" + name + "\",\"existing\":true}");
    assertThat(opened.statusCode()).as(opened.body()).isEqualTo(201);
    assertThat(house.json(opened).path("head_commit_id").asLong()).isEqualTo(1);
    assertThat(house.json(house.get(crm)).path("head_commit_id").asLong()).isEqualTo(1);
    assertThat(house.json(house.get("/v1/ledgers?prefix=" + name)).toString())
        .contains("{\"ledger\":\"" + name + ":main\",\"head_commit_id\":1}");
    assertThat(house.problem(house.post("/v1/ledgers", "{\"ledger\":\"none\",\"existing\":true}")))
        .isEqualTo("404 uninitialized");
    assertThat(
            house.problem(
                house.post(
                    "/v1/ledgers", "{\"ledger\":\"none\",\"existing\":true,\"dryRun\":true}")))
        .isEqualTo("400 invalid-request");
  }

  @Test
  void aLedgerTellsHowItIs() {
    HttpResponse<String> answer = house.get(crm + "?stats&schema");
    JsonNode info = house.json(answer);
    assertThat(answer.headers().firstValue("ETag")).contains("\"1\"");
    assertThat(info.path("head_commit_id").asLong()).isEqualTo(1);
    assertThat(info.path("entity_counts").toString()).isEqualTo("{\"Customer\":3,\"Plan\":0}");
    assertThat(info.path("entity_schemas").has("Plan")).isTrue();
    assertThat(house.json(house.get(crm)).path("entity_counts").isNull()).isTrue();
    assertThat(house.problem(house.get("/v1/ledgers/none"))).isEqualTo("404 not-found");
    assertThat(house.problem(house.get(crm + ":none"))).isEqualTo("404 not-found");
  }

  @Test
  void typesAreShownDeclaredAndCompared() {
    JsonNode first = house.json(house.get(crm + "/types?limit=1"));
    assertThat(first.path("items")).hasSize(1);
    JsonNode rest = house.json(house.get(crm + "/types?cursor=" + first.path("next").asText()));
    assertThat(rest.path("items").findValuesAsText("type_name"))
        .doesNotContain(first.path("items").path(0).path("type_name").asText())
        .isNotEmpty();
    assertThat(rest.has("next")).isFalse();
    assertThat(house.json(house.get(crm + "/types")).path("items").findValuesAsText("type_name"))
        .containsExactly("Customer", "Plan", "Uses");
    assertThat(
            house
                .json(house.get(crm + "/types/relation:Uses"))
                .path("schema")
                .path("left")
                .asText())
        .isEqualTo("Customer");
    assertThat(house.problem(house.get(crm + "/types/Nobody"))).isEqualTo("404 not-found");
    assertThat(house.problem(house.get(crm + "/types/Plan?version=7"))).isEqualTo("404 not-found");
    assertThat(house.json(house.get(crm + "/types/Plan/history")).path("items").size())
        .isEqualTo(1);
    String place =
        "{\"schema\":{\"entity\":\"Place\",\"key\":\"id\",\"fields\":{\"id\":\"string\"}}}";
    assertThat(house.json(house.post(crm + "/validate", place)).path("new_types").toString())
        .isEqualTo("[\"entity:Place\"]");
    assertThat(house.post(crm + "/types", place).statusCode()).isEqualTo(200);
    assertThat(house.post(crm + "/types", place).statusCode()).isEqualTo(200);
    String other = place.replace("\"id\":\"string\"", "\"id\":\"string\",\"x\":\"long\"");
    assertThat(house.json(house.post(crm + "/validate", other)).path("status").asText())
        .isEqualTo("mismatch");
    assertThat(house.problem(house.post(crm + "/types", other))).isEqualTo("409 schema-outdated");
    assertThat(house.problem(house.post(crm + "/types", "{\"schema\":{\"entity\":5}}")))
        .isEqualTo("400 invalid-schema");
    assertThat(house.problem(house.post(crm + "/types", "{}"))).isEqualTo("400 invalid-request");
  }

  @Test
  void aMigrationIsPlannedAndThenDoneByItsToken() {
    String wanted =
        """
        "schema":{"entity":"Plan","key":"id","fields":
          {"id":"string","cents":"long","name":"string"}},
        "rename":{"Plan.price":"cents"},"set":{"Plan.name":"plan"}
        """;
    house.post(crm + "/commits", "{\"type\":\"Plan\",\"rows\":[{\"id\":\"p1\",\"price\":5}]}");
    JsonNode plan = house.json(house.post(crm + "/migrate", "{" + wanted + "}"));
    assertThat(plan.path("applied").asBoolean()).isFalse();
    assertThat(plan.path("estimated_rows").asLong()).isEqualTo(1);
    assertThat(
            house.problem(
                house.post(
                    crm + "/migrate", "{" + wanted + ",\"apply\":true,\"token\":\"another\"}")))
        .isEqualTo("400 invalid-token");
    assertThat(house.problem(house.post(crm + "/migrate", "{" + wanted + ",\"apply\":true}")))
        .isEqualTo("400 invalid-request");
    JsonNode done =
        house.json(
            house.post(
                crm + "/migrate",
                "{%s,\"apply\":true,\"token\":\"%s\"}"
                    .formatted(wanted, plan.path("token").asText())));
    assertThat(done.path("commit_id").asLong()).isEqualTo(3);
    assertThat(ask("{\"type\":\"Plan\"}").path("rows").get(0).path("fields").toString())
        .isEqualTo("{\"cents\":5,\"id\":\"p1\",\"name\":\"plan\"}");
    thePastIsShownInTheSchemaOfNowOrThen();
  }

  private void thePastIsShownInTheSchemaOfNowOrThen() {
    String header = "Tidemark-Schema-Versions";
    String mixed = "entity:Plan: 1 row of version 1 shown in version 2";
    HttpResponse<String> now = house.post(crm + "/query", "{\"type\":\"Plan\",\"asOf\":2}");
    assertThat(house.json(now).path("rows").get(0).path("fields").toString())
        .isEqualTo("{\"cents\":5,\"id\":\"p1\",\"name\":null}");
    assertThat(now.headers().firstValue(header)).hasValue(mixed);
    String versions =
        "[{\"type\":\"entity:Plan\",\"shown_version_id\":2,\"rows_by_version\":{\"1\":1}}]";
    assertThat(house.json(now).path("schema_versions").toString()).isEqualTo(versions);
    for (String more : List.of("\"count\":true", "\"aggregate\":{\"n\":\"count\"}")) {
      String question = "{\"type\":\"Plan\",\"asOf\":2,%s}".formatted(more);
      assertThat(
              house.json(house.post(crm + "/query", question)).path("schema_versions").toString())
          .isEqualTo(versions);
    }
    assertThat(
            house
                .json(house.post(crm + "/sql", "{\"sql\":\"SELECT id FROM Plan\",\"asOf\":2}"))
                .path("schema_versions")
                .toString())
        .isEqualTo(versions);
    assertThat(ask("{\"type\":\"Plan\"}").has("schema_versions")).isFalse();
    assertThat(house.post(crm + "/query", "{\"type\":\"Plan\"}").headers().firstValue(header))
        .isEmpty();
    HttpResponse<String> then =
        house.post(crm + "/query", "{\"type\":\"Plan\",\"asOf\":2,\"schemaAsOfCommit\":2}");
    assertThat(house.json(then).path("rows").get(0).path("fields").toString())
        .isEqualTo("{\"id\":\"p1\",\"price\":5}");
    assertThat(then.headers().firstValue(header)).isEmpty();
    HttpResponse<String> sql =
        house.post(crm + "/sql", "{\"sql\":\"SELECT cents FROM Plan\",\"asOf\":2}");
    assertThat(house.json(sql).path("rows").get(0).path("cents").asLong()).isEqualTo(5);
    assertThat(sql.headers().firstValue(header)).hasValue(mixed);
    HttpResponse<String> old =
        house.post(crm + "/sql", "{\"sql\":\"SELECT price FROM Plan\",\"schemaAsOfCommit\":2}");
    assertThat(house.json(old).path("rows").get(0).path("price").asLong()).isEqualTo(5);
    JsonNode explained = ask("{\"type\":\"Plan\",\"asOf\":2,\"explain\":true}");
    assertThat(explained.path("schema_versions").toString())
        .isEqualTo(
            "[{\"type\":\"entity:Plan\",\"shown_version_id\":2,\"rows_by_version\":{\"1\":1}}]");
  }

  @Test
  void aTypeIsDroppedByItsToken() {
    assertThat(house.problem(house.post(crm + "/types/Customer/drop", "{}")))
        .isEqualTo("409 refused-drop");
    String how = "\"cascade\":true,\"purgeHistory\":true";
    JsonNode plan = house.json(house.post(crm + "/types/Customer/drop", "{" + how + "}"));
    assertThat(plan.path("rows").path("entity:Customer").asLong()).isEqualTo(3);
    JsonNode done =
        house.json(
            house.post(
                crm + "/types/Customer/drop",
                "{%s,\"apply\":true,\"token\":\"%s\"}"
                    .formatted(how, plan.path("token").asText())));
    assertThat(done.path("commit_id").asLong()).isEqualTo(2);
    assertThat(house.json(house.get(crm + "/types")).path("items").findValuesAsText("type_name"))
        .containsExactly("Plan");
  }

  @Test
  void rowsBecomeACommitOrNothing() {
    String rows = "{\"type\":\"Plan\",\"rows\":[{\"id\":\"p1\",\"price\":5}]}";
    HttpResponse<String> made = house.post(crm + "/commits", rows);
    assertThat(made.statusCode()).isEqualTo(201);
    assertThat(made.headers().firstValue("ETag")).contains("\"2\"");
    assertThat(made.headers().firstValue("Location")).contains(crm + ":main/commits/2");
    assertThat(house.get(made.headers().firstValue("Location").orElseThrow()).body())
        .isEqualTo(made.body());
    HttpResponse<String> again = house.post(crm + "/commits", rows);
    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(again.body()).isEqualTo("{\"commit_id\":null}");
    assertThat(again.headers().firstValue("ETag")).contains("\"2\"");
  }

  @Test
  void linesAreRowsToo() {
    HttpResponse<String> made =
        house.send(
            "POST",
            crm + "/commits?message=by+lines&meta=ticket%3D7",
            """
            {"type_kind":"entity","type_name":"Plan","fields":{"id":"p1","price":5}}
            {"type_name":"Uses","type_kind":"relation","left_key":"c1","right_key":"p1","fields":{"seats":2}}
            """,
            "Content-Type",
            "application/x-ndjson");
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    JsonNode commit = house.json(made);
    assertThat(commit.path("operations").asLong()).isEqualTo(2);
    assertThat(commit.path("meta").path("message").asText()).isEqualTo("by lines");
    assertThat(commit.path("meta").path("ticket").asText()).isEqualTo("7");
  }

  @Test
  void aCommitOnAnotherHeadThanExpectedIsNone() {
    String rows = "\"type\":\"Plan\",\"rows\":[{\"id\":\"p1\",\"price\":5}]";
    HttpResponse<String> tagged =
        house.send("POST", crm + "/commits", "{" + rows + "}", "If-Match", "\"0\"");
    assertThat(house.problem(tagged)).isEqualTo("412 head-mismatch");
    assertThat(house.json(tagged).path("actual").asLong()).isEqualTo(1);
    HttpResponse<String> said = house.post(crm + "/commits", "{" + rows + ",\"expected\":7}");
    assertThat(house.problem(said)).isEqualTo("409 head-mismatch");
    assertThat(house.problem(house.post(crm + "/commits", "{\"rows\":[],\"expected\":7}")))
        .isEqualTo("409 head-mismatch");
    assertThat(
            house.problem(
                house.send("POST", crm + "/commits", "{" + rows + "}", "If-Match", "seven")))
        .isEqualTo("400 invalid-request");
    assertThat(house.json(house.get(crm)).path("head_commit_id").asLong()).isEqualTo(1);
    assertThat(
            house
                .send("POST", crm + "/commits", "{" + rows + "}", "If-Match", "\"1\"")
                .statusCode())
        .isEqualTo(201);
  }

  @Test
  void rowsThatDoNotFitAreToldByTheirPlace() {
    HttpResponse<String> wrong =
        house.post(
            crm + "/commits",
            "{\"type\":\"Plan\",\"rows\":[{\"id\":\"p1\",\"price\":5},{\"id\":\"p2\",\"price\":\"x\"}]}");
    assertThat(house.problem(wrong)).isEqualTo("400 invalid-value");
    assertThat(house.json(wrong).path("detail").asText()).startsWith("rows, line 2: ");
    assertThat(
            house.problem(
                house.post(crm + "/commits", "{\"type\":\"No\",\"rows\":[{\"id\":\"x\"}]}")))
        .isEqualTo("400 invalid-schema");
    assertThat(house.problem(house.post(crm + "/commits", "{\"rows\":5}")))
        .isEqualTo("400 invalid-request");
    assertThat(house.problem(house.post(crm + "/commits", "{\"row\":[]}")))
        .isEqualTo("400 invalid-request");
    StringBuilder many = new StringBuilder();
    for (int i = 0; i <= 10_000; i++) {
      many.append("{\"id\":\"p").append(i).append("\",\"price\":1}\n");
    }
    assertThat(
            house.problem(
                house.send(
                    "POST",
                    crm + "/commits?type=Plan",
                    many.toString(),
                    "Content-Type",
                    "application/x-ndjson")))
        .isEqualTo("413 batch-size-exceeded");
  }

  @Test
  void theLogIsReadInPagesAndByMetadata() {
    for (int i = 2; i <= 5; i++) {
      house.post(
          crm + "/commits",
          "{\"type\":\"Plan\",\"metadata\":{\"odd\":\"%d\"},\"rows\":[{\"id\":\"p\",\"price\":%d}]}"
              .formatted(i % 2, i));
    }
    JsonNode first = house.json(house.get(crm + "/commits?limit=2"));
    assertThat(first.path("items").findValuesAsText("commit_id")).containsExactly("5", "4");
    JsonNode second =
        house.json(house.get(crm + "/commits?limit=2&cursor=" + first.path("next").asText()));
    assertThat(second.path("items").findValuesAsText("commit_id")).containsExactly("3", "2");
    JsonNode third =
        house.json(house.get(crm + "/commits?limit=2&cursor=" + second.path("next").asText()));
    assertThat(third.path("items").findValuesAsText("commit_id")).containsExactly("1");
    assertThat(third.has("next")).isFalse();
    assertThat(
            house
                .json(house.get(crm + "/commits?meta=odd%3D1"))
                .path("items")
                .findValuesAsText("commit_id"))
        .containsExactly("5", "3");
    assertThat(
            house
                .json(house.get(crm + "/commits?since=3"))
                .path("items")
                .findValuesAsText("commit_id"))
        .containsExactly("5", "4");
    assertThat(house.problem(house.get(crm + "/commits/9"))).isEqualTo("404 not-found");
    assertThat(house.problem(house.get(crm + "/commits/x"))).isEqualTo("400 invalid-request");
  }

  @Test
  void aCommitTellsWhatItChanged() {
    house.post(
        crm + "/commits",
        "{\"type\":\"Customer\",\"rows\":[{\"id\":\"c1\",\"age\":31,\"tier\":\"Gold\",\"note\":1}]}");
    JsonNode changes = house.json(house.get(crm + "/commits/2/changes"));
    assertThat(changes.path("commit_id").asLong()).isEqualTo(2);
    assertThat(changes.path("changes").toString())
        .isEqualTo(
            "[{\"operation\":\"update_version\",\"type_kind\":\"entity\","
                + "\"type_name\":\"Customer\",\"key\":\"c1\","
                + "\"before\":{\"age\":30,\"id\":\"c1\",\"note\":1,\"tier\":\"Gold\"},"
                + "\"before_commit_id\":1,"
                + "\"after\":{\"age\":31,\"id\":\"c1\",\"note\":1,\"tier\":\"Gold\"}}]");
    HttpResponse<String> lines =
        house.send("GET", crm + "/commits/1/changes", "", "Accept", "application/x-ndjson");
    assertThat(lines.body().lines()).hasSize(3);
    assertThat(house.problem(house.get(crm + "/commits/3/changes"))).isEqualTo("404 not-found");
  }

  @Test
  void damagedObjectsOfALedgerAreTold() throws IOException {
    JsonNode intact = house.json(house.get(crm + "/verify?deep"));
    assertThat(intact.path("ok").asBoolean()).isTrue();
    assertThat(intact.path("files").asLong()).isEqualTo(1);
    Path data;
    try (Stream<Path> files = Files.walk(directory.resolve("data/ledgers/" + name))) {
      data = files.filter(path -> path.endsWith("Customer.parquet")).findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(data);
    bytes[bytes.length / 2] ^= 1;
    Files.write(data, bytes);

    assertThat(house.json(house.get(crm + "/verify")).path("ok").asBoolean()).isTrue();
    JsonNode report = house.json(house.get(crm + "/verify?deep=true"));
    assertThat(report.path("ok").asBoolean()).isFalse();
    assertThat(report.path("damaged_objects").findValuesAsText("damage"))
        .containsExactly("wrong-hash");
    List<String> lines =
        house
            .send("GET", crm + "/verify?deep", "", "Accept", "application/x-ndjson")
            .body()
            .lines()
            .toList();
    assertThat(lines.get(0)).startsWith("{\"commits\":0,");
    assertThat(lines).filteredOn(line -> line.startsWith("{\"damage\":")).hasSize(1);
    assertThat(lines.get(lines.size() - 1)).isEqualTo("{\"end\":" + report + "}");
    assertThat(house.json(house.get(crm + "/verify?deep&after=main@1")).path("files").asLong())
        .isZero();
    assertThat(house.problem(house.get(crm + "/verify?after=1"))).isEqualTo("400 invalid-request");
    assertThat(house.problem(house.get("/v1/ledgers/none/verify"))).isEqualTo("404 not-found");
  }

  @Test
  void careIsTakenOfALedger() {
    // Indices and the name follow a commit in the background.
    await().until(() -> house.json(house.get(crm + "/index?deep")).path("ok").asBoolean());
    assertThat(
            house
                .json(house.post(crm + "/index/repair", "{\"apply\":true}"))
                .path("applied")
                .asBoolean())
        .isTrue();
    house.post(
        crm + "/commits",
        "{\"type\":\"Customer\",\"rows\":[{\"id\":\"c1\",\"age\":31,\"tier\":\"Gold\",\"note\":1}]}");
    assertThat(house.json(house.post(crm + "/compact", "{}")).path("applied").asBoolean())
        .isFalse();
    JsonNode compacted =
        house.json(
            house.post(crm + "/compact", "{\"type\":\"Customer\",\"all\":true,\"apply\":true}"));
    assertThat(compacted.path("applied").asBoolean()).isTrue();
    assertThat(house.keys(ask("{\"type\":\"Customer\"}"))).containsExactly("c1", "c2", "c3");
    assertThat(house.json(house.post(crm + "/gc", "{}")).path("leftovers").toString())
        .isEqualTo("[]");
    assertThat(house.problem(house.post(crm + "/gc", "{\"minAgeSeconds\":86399,\"apply\":true}")))
        .isEqualTo("400 invalid-request");
    assertThat(
            house
                .json(house.post(crm + "/gc", "{\"minAgeSeconds\":86400,\"apply\":true}"))
                .path("applied")
                .asBoolean())
        .isTrue();
  }
}
