// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.Address;
import io.tidemark.names.EditDecision;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Branches, diffs and merges over HTTP. */
final class LedgerBranchRoutesTest {

  @TempDir private static Path directory;
  private static LedgerTestServer house;
  private static int made;

  private String name;
  private String crm;

  @BeforeAll
  static void start() {
    house = new LedgerTestServer(directory);
  }

  @BeforeEach
  void makeLedger() {
    name = "crm" + made++;
    crm = "/v1/ledgers/" + name;
    house.withCustomers(name);
    HttpResponse<String> branch = house.post(crm + "/branches", "{\"branch\":\"dev\"}");
    assertThat(branch.statusCode()).as(branch.body()).isEqualTo(201);
  }

  @AfterAll
  static void stop() {
    house.close();
  }

  private void age(String branch, int age) {
    assertThat(
            house
                .post(
                    crm + branch + "/commits",
                    "{\"type\":\"Customer\",\"rows\":[{\"id\":\"c1\",\"age\":%d,\"tier\":\"Gold\",\"note\":1}]}"
                        .formatted(age))
                .statusCode())
        .isEqualTo(201);
  }

  @Test
  void branchesAreMadeListedAndDropped() {
    assertThat(house.json(house.get(crm + "/branches")).path("items").findValuesAsText("ledger"))
        .containsExactly(name + ":dev", name + ":main");
    JsonNode page = house.json(house.get(crm + "/branches?limit=1"));
    assertThat(page.path("items").findValuesAsText("ledger")).containsExactly(name + ":dev");
    JsonNode last =
        house.json(house.get(crm + "/branches?limit=1&cursor=" + page.path("next").asText()));
    assertThat(last.path("items").findValuesAsText("ledger")).containsExactly(name + ":main");
    assertThat(last.has("next")).isFalse();
    assertThat(house.post(crm + "/branches", "{\"branch\":\"dev\"}").statusCode()).isEqualTo(201);
    age(":dev", 60);
    assertThat(house.problem(house.post(crm + "/branches", "{\"branch\":\"dev\"}")))
        .isEqualTo("409 already-exists");
    assertThat(house.problem(house.post(crm + "/branches", "{\"branch\":\"7\"}")))
        .isEqualTo("409 refused");
    assertThat(house.problem(house.post(crm + "/branches", "{\"branch\":\"x\",\"at\":99}")))
        .isEqualTo("404 not-found");
    assertThat(house.send("DELETE", crm + "/branches/dev", "").body())
        .isEqualTo(
            "{\"address\":\"%s:dev\",\"outcome\":\"gone\",\"cascaded\":[],\"retracted\":[]}"
                .formatted(name));
    assertThat(house.problem(house.get(crm + ":dev"))).isEqualTo("404 not-found");
    assertThat(house.problem(house.send("DELETE", crm + "/branches/main", "")))
        .isEqualTo("409 refused");
    // Another of the same name is another branch.
    assertThat(house.post(crm + "/branches", "{\"branch\":\"dev\",\"at\":1}").statusCode())
        .isEqualTo(201);
    assertThat(house.json(house.get(crm + ":dev")).path("head_commit_id").asLong()).isEqualTo(1);
    assertThat(house.problem(house.get("/v1/ledgers/nobody/branches"))).isEqualTo("404 not-found");
  }

  @Test
  void aDropThatWasBrokenOffIsFinished() {
    house.post(crm + ":dev/branches", "{\"branch\":\"fix\"}");
    house.send("DELETE", crm + "/branches/dev", "");
    house.names.backend().edit(Address.parse(name + ":fix"), seen -> EditDecision.remove());
    assertThat(house.post(crm + "/branches/finish-drops", "").body())
        .isEqualTo(
            "{\"name\":\"%s\",\"dropped\":[\"%s:dev\"],\"retracted\":[]}".formatted(name, name));
    assertThat(house.json(house.get(crm + "/branches")).path("items").findValuesAsText("ledger"))
        .containsExactly(name + ":main");
  }

  @Test
  void statesAreCompared() {
    age(":dev", 60);
    JsonNode diff = house.json(house.get(crm + "/diff?from=main&to=dev"));
    assertThat(diff.path("from").asText()).isEqualTo("main@1");
    assertThat(diff.path("to").asText()).isEqualTo("dev@2");
    assertThat(diff.path("ancestor").asLong()).isEqualTo(1);
    assertThat(diff.path("counts").toString())
        .isEqualTo(
            "[{\"type_kind\":\"entity\",\"type_name\":\"Customer\",\"inserted\":0,\"changed\":1,"
                + "\"removed\":0}]");
    assertThat(diff.path("differences").get(0).path("after").path("age").asLong()).isEqualTo(60);
    JsonNode all = house.json(house.get(crm + "/diff?from=0&to=head&stat"));
    assertThat(all.path("from").asText()).isEqualTo("main@0");
    assertThat(all.path("counts").get(0).path("inserted").asLong()).isPositive();
    assertThat(all.has("differences")).isFalse();
    assertThat(
            house
                .send("GET", crm + "/diff?from=main&to=dev", "", "Accept", "application/x-ndjson")
                .body()
                .strip())
        .isEqualTo(diff.path("differences").get(0).toString());
    assertThat(house.problem(house.get(crm + "/diff?from=99"))).isEqualTo("404 not-found");
    assertThat(house.problem(house.get(crm + "/diff?from=nobody"))).isEqualTo("404 not-found");
  }

  @Test
  void statesAreComparedInOneSchema() {
    String migration = "{\"schema\":%s,\"apply\":true%s}";
    String schema = LedgerTestServer.SCHEMA.replace("\"age\":", "\"email\":\"string?\",\"age\":");
    String token =
        house
            .json(house.post(crm + "/migrate", "{\"schema\":" + schema + "}"))
            .path("token")
            .asText();
    HttpResponse<String> done =
        house.post(crm + "/migrate", migration.formatted(schema, ",\"token\":\"" + token + "\""));
    assertThat(done.statusCode()).as(done.body()).isEqualTo(200);

    HttpResponse<String> answer = house.get(crm + "/diff?from=dev&to=main");
    JsonNode diff = house.json(answer);
    assertThat(diff.path("counts").isEmpty()).as(answer.body()).isTrue();
    assertThat(diff.path("differences").isEmpty()).isTrue();
    assertThat(diff.path("schema_versions").toString())
        .isEqualTo(
            "[{\"type\":\"entity:Customer\",\"shown_version_id\":2,\"rows_by_version\":{\"1\":3}}]");
    String header = "Tidemark-Schema-Versions";
    String mixed = "entity:Customer: 3 rows of version 1 shown in version 2";
    assertThat(answer.headers().firstValue(header)).hasValue(mixed);
    HttpResponse<String> lines =
        house.send("GET", crm + "/diff?from=0&to=1", "", "Accept", "application/x-ndjson");
    assertThat(lines.body().lines()).hasSize(3).allMatch(line -> line.contains("\"email\":null"));
    assertThat(lines.headers().firstValue(header)).hasValue(mixed);
    HttpResponse<String> then = house.get(crm + "/diff?from=0&to=1&schemaAsOfCommit=1");
    assertThat(then.headers().firstValue(header)).isEmpty();
    assertThat(then.body()).doesNotContain("email");
    assertThat(house.problem(house.get(crm + "/diff?schemaAsOfCommit=99")))
        .isEqualTo("404 not-found");
  }

  @Test
  void aMergeIsPlannedAndThenDone() {
    age(":dev", 60);
    JsonNode plan = house.json(house.post(crm + "/merge", "{\"source\":\"dev\"}"));
    assertThat(plan.path("outcome").asText()).isEqualTo("fast_forward");
    assertThat(plan.path("applied").asBoolean()).isFalse();
    assertThat(
            house
                .json(house.post(crm + "/merge", "{\"source\":\"dev\",\"apply\":true}"))
                .path("applied")
                .asBoolean())
        .isTrue();
    assertThat(house.json(house.get(crm)).path("head_commit_id").asLong()).isEqualTo(2);
    assertThat(
            house
                .json(house.post(crm + "/merge", "{\"source\":\"dev\",\"apply\":true}"))
                .path("outcome")
                .asText())
        .isEqualTo("up_to_date");
  }

  @Test
  void aConflictIsToldAndDecided() {
    age(":dev", 60);
    age("", 70);
    HttpResponse<String> conflict =
        house.post(crm + "/merge", "{\"source\":\"dev\",\"apply\":true}");
    assertThat(house.problem(conflict)).isEqualTo("409 merge-conflict");
    assertThat(house.json(conflict).path("merge").path("first").get(0).path("fields").toString())
        .isEqualTo("[{\"field\":\"age\",\"base\":30,\"ours\":70,\"theirs\":60}]");
    assertThat(
            house
                .json(
                    house.post(
                        crm + "/merge",
                        "{\"source\":\"dev\",\"apply\":true,\"resolution\":\"theirs\"}"))
                .path("commit_id")
                .asLong())
        .isEqualTo(3);
    assertThat(
            house.problem(
                house.post(crm + "/merge", "{\"source\":\"dev\",\"resolution\":\"mine\"}")))
        .isEqualTo("400 invalid-request");
    assertThat(house.problem(house.post(crm + "/merge", "{\"source\":\"nobody\"}")))
        .isEqualTo("404 not-found");
  }
}
