// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines of any length are sent again with their key, and told from other lines. */
final class RowsWithKeyTest {

  @TempDir private static Path directory;
  private static LedgerTestServer house;

  @BeforeAll
  static void start() {
    house = new LedgerTestServer(directory).withCustomers();
  }

  @AfterAll
  static void stop() {
    house.close();
  }

  private static String plans(int count, String prefix) {
    return IntStream.range(0, count)
        .mapToObj(i -> "{\"id\":\"%s%d\",\"price\":%d}\n".formatted(prefix, i, i))
        .collect(Collectors.joining());
  }

  private static HttpResponse<String> commit(String lines, String key) {
    return house.send(
        "POST",
        "/v1/ledgers/crm/commits?type=Plan",
        lines,
        "Content-Type",
        "application/x-ndjson",
        "Idempotency-Key",
        key);
  }

  @Test
  void theSameLinesGetTheSameAnswer() {
    String lines = plans(9_000, "a"); // more than is read before a thread is given to it
    HttpResponse<String> first = commit(lines, "one");
    assertThat(first.statusCode()).as(first.body()).isEqualTo(201);
    HttpResponse<String> again = commit(lines, "one");
    assertThat(again.statusCode()).isEqualTo(201);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(again.headers().firstValue("Idempotency-Replayed")).contains("true");
  }

  @Test
  void otherLinesAreAnotherRequest() {
    String lines = plans(9_000, "b");
    assertThat(commit(lines, "two").statusCode()).isEqualTo(201);
    for (String other : new String[] {lines.replace("b8999", "c8999"), plans(8_000, "b"), ""}) {
      assertThat(house.problem(commit(other, "two"))).isEqualTo("422 idempotency-mismatch");
    }
  }

  @Test
  void rowsThatWereRefusedAreRefusedAgain() {
    String lines = plans(10, "d") + "{\"id\":7}\n";
    assertThat(house.problem(commit(lines, "three"))).isEqualTo("400 invalid-value");
    HttpResponse<String> again = commit(lines, "three");
    assertThat(house.problem(again)).isEqualTo("400 invalid-value");
    assertThat(again.headers().firstValue("Idempotency-Replayed")).contains("true");
  }

  @Test
  void theFirstLineMayDeclareTypes() {
    HttpResponse<String> made =
        house.send(
            "POST",
            "/v1/ledgers/crm/commits?type=Tag&declares=true",
            "{\"entity\":\"Tag\",\"key\":\"id\",\"fields\":{\"id\":\"string\"}}\n{\"id\":\"t1\"}\n",
            "Content-Type",
            "application/x-ndjson");
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    assertThat(house.json(made).path("operations").asInt()).isEqualTo(1);
  }
}
