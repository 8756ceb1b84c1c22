// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tour}, {@code status} and {@code doctor}. */
final class OperatorVerbsTest {

  @TempDir private Path directory;

  private record Ran(int code, String out, String err) {}

  private static Ran run(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Tidemark.run(Verb.all(), new PrintWriter(out), new PrintWriter(err), words);
    return new Ran(code, out.toString(), err.toString());
  }

  private Ran onData(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--data", directory.resolve("data").toString()));
    return run(all.toArray(String[]::new));
  }

  @Test
  void theTourPrintsEachCommandAndWhatItSaid() {
    Ran tour = run("tour");
    assertThat(tour.err()).isEmpty();
    assertThat(tour.code()).isEqualTo(ExitCodes.OK);
    assertThat(tour.out())
        .contains(
            "$ tidemark query crm Customer --as-of 1\nKEY  COMMIT  AGE  NAME\nc1   1       30   Ann\n")
        .contains("$ tidemark sql crm 'SELECT count(*) AS n, max(age) AS oldest FROM Customer'\n")
        .contains("$ tidemark merge crm dev\n")
        .contains("$ tidemark watch --from start --count 2\nappeared    crm:dev");
  }

  @Test
  void statusShowsHeadsLocksAndQueues() throws IOException {
    onData("create", "crm");
    onData("concern", "push", "crm", "head", "7", "{\"id\":\"c7\",\"t\":7}", "--expect", "0");
    onData(
        "concern",
        "push",
        "crm",
        "index",
        "5",
        "{\"default\":{\"id\":\"i5\",\"t\":5}}",
        "--expect",
        "0");
    onData("lock", "acquire", "crm", "index", "--holder", "indexer-1");
    onData("events", "publish", "order.created", "--namespace", "orders");
    JsonNode json = new JsonMapper().readTree(onData("status", "--json").out());
    JsonNode crm = json.path("names").path(0);
    assertThat(crm.path("address").asText()).isEqualTo("crm:main");
    assertThat(crm.path("head").asLong()).isEqualTo(7);
    assertThat(crm.path("lag").asLong()).isEqualTo(2);
    assertThat(crm.path("lock").asText()).isEqualTo("indexer-1");
    assertThat(json.path("events").path(0).path("pending_events").asLong()).isEqualTo(1);
    assertThat(onData("status").out()).contains("crm:main  ledger  indexing  7     2    indexer-1");
  }

  @Test
  void aDoctorFindsAHealthyDirectoryWellAndLeavesNothing() throws IOException {
    onData("create", "crm");
    Ran doctor = onData("doctor", "--json");
    JsonNode json = new JsonMapper().readTree(doctor.out());
    assertThat(json.findValuesAsText("verdict")).containsOnly("ok");
    assertThat(json.findValuesAsText("what"))
        .containsExactly("Java", "temporary files", "disk", "names", "store", "clock of the store");
    assertThat(doctor.code()).isEqualTo(ExitCodes.OK);
    assertThat(onData("status").out()).contains("crm:main");
    try (var all = Files.walk(directory)) {
      assertThat(all.filter(path -> path.toString().contains("doctor/"))).isEmpty();
    }
  }

  @Test
  void aDoctorSaysWhatToDo() {
    Ran doctor =
        onData("doctor", "--jdbc", "jdbc:postgresql://127.0.0.1:1/none?user=me&password=hush");
    assertThat(doctor.code()).isEqualTo(ExitCodes.FAILED);
    assertThat(doctor.out())
        .contains("failure  PostgreSQL")
        .contains("features up")
        .doesNotContain("hush");
  }
}
