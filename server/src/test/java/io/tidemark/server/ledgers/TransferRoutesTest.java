// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exports, imports and files of SQL over HTTP, in the forms that other programs ask for. */
final class TransferRoutesTest {

  private static final String ROW =
      "{\"fields\":{\"id\":\"%s\",\"age\":%d,\"tier\":\"Gold\",\"note\":null},\"key\":\"%1$s\","
          + "\"type_kind\":\"entity\",\"type_name\":\"Customer\"}\n";
  private static final String LINES = "application/x-ndjson";
  private static final String PARQUET = "application/vnd.apache.parquet";

  @TempDir static Path directory;
  private static LedgerTestServer house;

  @BeforeAll
  static void start() {
    house = new LedgerTestServer(directory).withCustomers();
    assertThat(house.post("/v1/ledgers", "{\"ledger\":\"copy\"}").statusCode()).isEqualTo(201);
    assertThat(
            house
                .post(
                    "/v1/ledgers/copy/commits",
                    "{\"type\":\"Customer\",\"schema\":%s,\"rows\":[%s]}"
                        .formatted(
                            LedgerTestServer.SCHEMA,
                            "{\"id\":\"c1\",\"age\":1,\"tier\":\"Gold\",\"note\":null}"))
                .statusCode())
        .isEqualTo(201);
  }

  @AfterAll
  static void stop() {
    house.close();
  }

  @Test
  void anExportAsADocumentHasItsCommitAndTheSchemas() {
    HttpResponse<String> answer =
        house.send("GET", "/v1/ledgers/crm/export?type=Customer", "", "Accept", "application/json");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode document = house.json(answer);
    assertThat(document.path("commit_id").asLong()).isEqualTo(1);
    assertThat(document.path("types").findValuesAsText("type_name")).containsExactly("Customer");
    assertThat(document.at("/types/0/schema_json/fields/age").isMissingNode()).isFalse();
    assertThat(document.path("rows").findValuesAsText("key")).containsExactly("c1", "c2", "c3");
  }

  private static HttpResponse<String> load(String parameters, String rows) {
    return house.send("POST", "/v1/ledgers/copy/import?" + parameters, rows, "Content-Type", LINES);
  }

  @Test
  void anImportIsDoneOrRefusedAsAWhole() {
    HttpResponse<String> planned = load("", ROW.formatted("c7", 7));
    assertThat(planned.statusCode()).as(planned.body()).isEqualTo(200);
    assertThat(house.json(planned).path("inserts").asInt()).isEqualTo(1);
    assertThat(house.json(planned).path("commits")).isEmpty();

    HttpResponse<String> done = load("apply=true", ROW.formatted("c7", 7));
    assertThat(house.json(done).path("commits")).hasSize(1);

    HttpResponse<String> refused =
        load("apply=true", ROW.formatted("c1", 2) + ROW.formatted("c9", 9));
    assertThat(house.problem(refused)).isEqualTo("409 import-conflict");
    assertThat(house.json(refused).at("/report/conflicts").asInt()).isEqualTo(1);
    assertThat(house.json(refused).at("/report/commits")).isEmpty();
    assertThat(
            house
                .json(house.post("/v1/ledgers/copy/query", "{\"type\":\"Customer\"}"))
                .path("rows")
                .findValuesAsText("key"))
        .containsExactly("c1", "c7");
  }

  @Test
  void sqlAnswersWithAParquetFile() {
    HttpResponse<String> answer =
        house.send(
            "POST",
            "/v1/ledgers/crm/sql",
            "{\"sql\":\"SELECT id FROM Customer\"}",
            "Content-Type",
            "application/json",
            "Accept",
            PARQUET);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains(PARQUET);
    assertThat(answer.headers().firstValue("Tidemark-Rows")).contains("3");
    assertThat(answer.body()).startsWith("PAR1").endsWith("PAR1");
  }
}
