// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.names.NameService;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.TidemarkServer;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.resources.ServerResources;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tour}, {@code status} and {@code doctor}. */
final class OperatorCommandsTest {

  @TempDir private Path directory;

  private record Ran(int code, String out, String err) {}

  private static Ran run(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        TidemarkCommand.run(
            CommandDescriptor.all(), new PrintWriter(out), new PrintWriter(err), words);
    return new Ran(code, out.toString(), err.toString());
  }

  private Ran onData(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--data", directory.resolve("data").toString()));
    return run(all.toArray(String[]::new));
  }

  @Test
  void theTourPrintsEachCommandAndWhatItSaidAndDoesWhatItSays() throws IOException {
    Ran tour = run("tour", "--keep");
    List<String> lines = tour.out().lines().toList();
    Path kept = Path.of(lines.get(1).substring("$ cd ".length()));
    try {
      assertThat(tour.err()).isEmpty();
      assertThat(tour.code()).isEqualTo(ExitCodes.OK);
      assertThat(lines.get(2)).isEqualTo("$ export TIDEMARK_DATA=" + kept.resolve("data"));
      assertThat(tour.out())
          .contains(
              """
              $ tidemark query crm Customer --as-of 1
              KEY  COMMIT  AGE  NAME
              c1   1       30   Ann
              """)
          .contains("$ tidemark sql crm 'SELECT count(*) AS n, max(age) AS oldest FROM Customer'\n")
          .contains("$ cat day3.jsonl\n{\"id\":\"c3\",\"name\":\"Cid\",\"age\":19}\n")
          .contains(
              "$ tidemark merge crm dev --apply\nmain moved from commit 2 to commit 3 of dev\n")
          .contains(
              """
              $ tidemark watch --concern head --cursor seen.json --count 2
              moved       crm:dev  head 2 -> 3
              moved       crm:main  head 2 -> 3
              """);
      String data = kept.resolve("data").toString();
      assertThat(run("query", "crm", "Customer", "--order", "@key", "--data", data).out())
          .contains("Ann", "Bob", "Cid");
      assertThat(run("status", "--data", data).out()).contains("crm:main  ledger  ready  3");
    } finally {
      try (Stream<Path> all = Files.walk(kept)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
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
    onData("lock", "acquire", "crm", "maintenance", "--holder", "server-1");
    onData("events", "publish", "order.created", "--namespace", "orders");
    JsonNode json = new JsonMapper().readTree(onData("status", "--json").out());
    JsonNode crm = json.path("names").path(0);
    assertThat(crm.path("address").asText()).isEqualTo("crm:main");
    assertThat(crm.path("head").asLong()).isEqualTo(7);
    assertThat(crm.path("lag").asLong()).isEqualTo(2);
    assertThat(crm.path("locks").findValuesAsText("purpose"))
        .containsExactly("index", "maintenance");
    assertThat(crm.path("locks").findValuesAsText("holder"))
        .containsExactly("indexer-1", "server-1");
    assertThat(json.path("events").path(0).path("pending_events").asLong()).isEqualTo(1);
    assertThat(onData("status").out())
        .contains("crm:main  ledger  maintenance  7     2    index by indexer-1 until ")
        .contains(", maintenance by server-1 until ");
  }

  @Test
  void aDoctorFindsAHealthyDirectoryWellAndLeavesNothing() throws IOException {
    onData("create", "crm");
    Ran doctor = onData("doctor", "--json");
    JsonNode json = new JsonMapper().readTree(doctor.out());
    assertThat(json.findValuesAsText("verdict")).containsOnly("ok");
    assertThat(json.findValuesAsText("what"))
        .containsExactly(
            "Java", "temporary files", "disk", "names", "records", "store", "clock of the store");
    assertThat(doctor.code()).isEqualTo(ExitCodes.OK);
    assertThat(onData("status").out()).contains("crm:main");
    try (var all = Files.walk(directory)) {
      assertThat(all.filter(path -> path.toString().contains("doctor/"))).isEmpty();
    }
    String uri = directory.resolve("data").toUri() + "?layout=C";
    Ran same = run("doctor", "--json", "--data", uri);
    assertThat(verdicts(same).get("disk")).startsWith("ok " + directory.resolve("data") + " has ");
    assertThat(same.code()).isEqualTo(ExitCodes.OK);
  }

  @Test
  void aDoctorFindsADamagedRecord() throws IOException {
    onData("create", "crm");
    onData("create", "shop");
    try (Stream<Path> all = Files.walk(directory.resolve("data"))) {
      Path record =
          all.filter(path -> path.toString().matches(".*/crm/.*main[.]json"))
              .findFirst()
              .orElseThrow();
      Files.writeString(record, "{\"cut");
    }
    Ran doctor = onData("doctor");
    assertThat(doctor.code()).isEqualTo(ExitCodes.FAILED);
    assertThat(doctor.out())
        .containsPattern("failure +records +\\S*crm/main[.]json\\S* .*is no JSON: ")
        .contains("put the record back from a copy of the store")
        .doesNotContain("REDACTED");
    assertThat(doctor.out().lines().filter(line -> line.startsWith("failure")))
        .as("told once, and not as a fault of the store")
        .hasSize(1);
  }

  @Test
  void aDoctorTellsEachDamagedRecordAndStillReadsTheLedgersBehindThem() throws IOException {
    onData("create", "a");
    onData("create", "c");
    for (String name : List.of("b", "d")) {
      onData("ledger", "init", name);
      Path types = Files.writeString(directory.resolve("types.json"), LedgerCommandFixture.TYPES);
      Path rows = Files.writeString(directory.resolve("rows.json"), LedgerCommandFixture.ROWS);
      onData("commit", name, rows.toString(), "--schema", types.toString());
    }
    for (String name : List.of("a", "c")) {
      damage(name);
    }

    Ran doctor = onData("doctor");

    assertThat(doctor.code()).isEqualTo(ExitCodes.FAILED);
    assertThat(doctor.out().lines().filter(line -> line.startsWith("failure")))
        .hasSize(2)
        .anyMatch(line -> line.contains("a/main.json"))
        .anyMatch(line -> line.contains("c/main.json"));
    assertThat(doctor.out())
        .containsPattern("ok +other records +2 records can be read")
        .containsPattern("ok +ledgers +sampled \\d+ files? of 2 ledgers, intact");
  }

  private void damage(String name) throws IOException {
    try (Stream<Path> all = Files.walk(directory.resolve("data"))) {
      Path record =
          all.filter(path -> path.toString().matches(".*/" + name + "/main[.]json"))
              .findFirst()
              .orElseThrow();
      Files.writeString(record, "{\"cut");
    }
  }

  @Test
  void aDoctorAsksAServer() throws IOException {
    Path tokens = directory.resolve("tokens");
    String grants = "read,write:names/acme/";
    String token =
        run("token", "create", "ci", "--tokens", tokens.toString(), "--grant", grants)
            .out()
            .lines()
            .findFirst()
            .orElseThrow();
    Path file = Files.writeString(directory.resolve("token"), token);
    NameService names = NameService.open("memory:");
    try (TidemarkServer server =
        TidemarkServer.start(
            ServerSettings.standard().withPort(0),
            ServerResources.of(names),
            AccessControl.of(AccessSettings.none().withTokens(tokens)))) {
      String[] asked = {"doctor", "--json", "--server", server.address().toString()};
      Ran doctor = run(and(asked, "--token-file", file.toString(), "--tokens", tokens.toString()));
      assertThat(verdicts(doctor))
          .containsEntry("server", "ok " + server.address() + " is Tidemark 0.1.0, API v1")
          .containsEntry("token", "ok ci may read:names/acme/ write:names/acme/")
          .containsEntry("stores of the server", "ok answer")
          .containsEntry("features", "ok are out of the caller's reach")
          .containsEntry("tokens", "ok " + tokens + " has 1, of which 1 are valid")
          .hasEntrySatisfying("clock of the server", text -> assertThat(text).startsWith("ok "));
      assertThat(doctor.code()).isEqualTo(ExitCodes.OK);

      Ran stranger = run(asked);
      assertThat(stranger.code()).isEqualTo(ExitCodes.FAILED);
      assertThat(verdicts(stranger).get("token")).startsWith("failure ").contains("TIDEMARK_TOKEN");
      assertThat(verdicts(stranger).get("server")).startsWith("ok ");
    }
    names.close();
    Ran away = run("doctor", "--server", "http://127.0.0.1:1");
    assertThat(away.code()).isEqualTo(ExitCodes.FAILED);
    assertThat(away.out()).contains("failure  server").contains("tidemark serve");
  }

  @Test
  void aDoctorLooksWhetherKeysCanBeHad() throws IOException {
    Path keys = Files.writeString(directory.resolve("keys"), "{\"keys\":[{\"kty\":\"RSA\"}]}");
    assertThat(verdicts(onData("doctor", "--json", "--jwt-keys", keys.toString())))
        .containsEntry("keys of JWT", "ok " + keys + " has 1");
    assertThat(verdicts(onData("doctor", "--json", "--jwt-keys", "http://127.0.0.1:1/keys")))
        .containsEntry(
            "keys of JWT",
            "failure http://127.0.0.1:1/keys can't be read (ConnectException); check --jwt-keys,"
                + " and that this machine can reach it");
  }

  private static Map<String, String> verdicts(Ran doctor) throws IOException {
    Map<String, String> found = new LinkedHashMap<>();
    for (JsonNode each : new JsonMapper().readTree(doctor.out())) {
      String remedy = each.path("remedy").asText();
      found.put(
          each.path("what").asText(),
          each.path("verdict").asText()
              + " "
              + each.path("detail").asText()
              + (remedy.isEmpty() ? "" : "; " + remedy));
    }
    return found;
  }

  private static String[] and(String[] words, String... more) {
    return Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
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
