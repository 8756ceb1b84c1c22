// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.names.NameService;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.TidemarkServer;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import io.tidemark.server.resources.ServerResources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The verbs on ledgers and events print the same on a directory and against a server on one. */
final class LedgersOnServerTest extends EventCommandFixture {

  private NameService served;
  private TidemarkServer server;

  @BeforeEach
  void serve() {
    served = NameService.open(directory.resolve("served").toString());
    server =
        TidemarkServer.start(
            ServerSettings.standard().withPort(0),
            ServerResources.of(served),
            AccessControl.localOnly());
  }

  @AfterEach
  void stop() {
    server.close();
    served.close();
  }

  /** Does it in both places, which are alike before and so have to be afterwards. */
  private String alike(int exitCode, String... words) {
    Outcome here = run(words);
    String[] place = {"--data", server.address().toString()};
    String[] cache = {"--cache", directory.resolve("cache").toString()};
    boolean asks = words[0].equals("query") || words[0].equals("sql");
    Outcome there = plain(with(asks ? with(cache, place) : place, words));
    String what = Arrays.toString(words);
    assertThat(timeless(there.err())).as(what).isEqualTo(timeless(here.err()));
    assertThat(timeless(there.out())).as(what).isEqualTo(timeless(here.out()));
    assertThat(there.exitCode()).as(what).isEqualTo(here.exitCode()).isEqualTo(exitCode);
    return here.out();
  }

  /** Without what differs from place to place and from one moment to the next. */
  private String timeless(String text) {
    Path data = directory.resolve("data");
    String here = data.toUri().toString().replaceAll("/$", "");
    String there = directory.resolve("served").toUri().toString().replaceAll("/$", "");
    return text.replace("--data " + data, "--data " + here)
        .replaceAll(
            "(?<![a-z0-9])(%s|%s|%s)/?"
                .formatted(Pattern.quote(here), Pattern.quote(there), server.address()),
            "PLACE/")
        .replaceAll("tidemark-(cli|server) +|(?<=BY) +(?=HASH)", " ") // who declared a type
        .replaceAll("20[0-9]{2}-[0-9]{2}-[0-9]{2}[T ][0-9:.]+(Z|\\+00:00)?", "NOW")
        .replaceAll("\\bb[a-z2-7]{50,}", "CID")
        .replaceAll("\\b[0-9a-f]{64}\\b", "HASH")
        .replaceAll("-[0-9a-f]{8}\\b", "-ATTEMPT")
        .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID")
        .replaceAll("[0-9.]+ (bytes|B|[kKMG]i?B)\\b", "SIZE")
        .replaceAll("\"(bytes|millis|elapsed_ms)\":[0-9]+", "\"$1\":0");
  }

  @Test
  void ledgers() throws IOException {
    String types = file("types.json", TYPES);
    alike(0, "ledger", "init", "crm", "--dry-run");
    alike(0, "ledger", "init", "crm");
    alike(4, "ledger", "init", "crm");
    alike(0, "commit", "crm", file("rows.json", ROWS), "--schema", types);
    String row = file("row.jsonl", "{\"id\":\"c1\",\"age\":31}\n");
    alike(0, "commit", "crm", row, "--type", "Customer", "-m", "older", "--meta", "by=me");
    alike(0, "commit", "crm", row, "--type", "Customer");
    alike(0, "log", "crm");
    alike(0, "log", "crm", "--json");
    alike(0, "changes", "crm", "2");
    alike(0, "query", "crm", "Customer", "--where", "age > 10");
    alike(0, "query", "crm", "Customer", "--as-of", "1", "--json");
    alike(0, "sql", "crm", "select id, age from Customer order by id");
    alike(0, "diff", "crm", "1..HEAD");
    alike(0, "schema", "show", "crm");
    alike(0, "schema", "validate", "crm", types);
    alike(0, "schema", "history", "crm", "Customer");
    alike(0, "status");
    alike(0, "status", "--json");
    alike(0, "ledger", "info", "crm");
    alike(1, "log", "nope");
    alike(1, "changes", "crm", "9");
  }

  /** The server reads data files; the command moves requests and answers alone. */
  @Test
  void readingDownloadsNoDataFiles() throws IOException {
    String data = directory.resolve("logged").toString();
    try (ServerProcess logged = ServerProcess.on(Map.of(), "--data", data)) {
      logged.post("/v1/ledgers", "{\"ledger\":\"crm\"}");
      logged.post("/v1/ledgers/crm/commits", ServerProcess.item("a", 1));
      logged.post("/v1/ledgers/crm/commits", ServerProcess.item("a", 2));
      String out = directory.resolve("exported").toString();
      String parquet = directory.resolve("items.parquet").toString();
      for (String verb :
          List.of(
              "query crm Item",
              "query crm Item --history --json",
              "query crm Item --count",
              "query crm Item --explain",
              "sql crm FROM_Item",
              "sql crm FROM_Item --output " + parquet,
              "log crm",
              "changes crm 2",
              "diff crm 1..2",
              "export crm --output " + out,
              "ledger info crm --stats --schema",
              "schema show crm",
              "schema history crm Item")) {
        String[] words = (verb + " --server " + logged.at("")).split(" ");
        Arrays.setAll(words, i -> words[i].replace("FROM_Item", "FROM Item"));
        Outcome outcome = plain(words);
        assertThat(outcome.exitCode()).as(verb + ": " + outcome.err()).isZero();
      }
      assertThat(logged.process().errors())
          .anyMatch(line -> line.contains("POST /v1/ledgers/{address}/query"))
          .noneMatch(line -> line.contains("/v1/objects"));
      assertThat(Files.readString(Path.of(out, "Item.jsonl"))).contains("\"n\":2");
    }
  }

  @Test
  void branches() throws IOException {
    alike(0, "ledger", "init", "crm");
    alike(0, "commit", "crm", file("rows.json", ROWS), "--schema", file("types.json", TYPES));
    alike(0, "branch", "create", "crm", "dev");
    String row = file("row.jsonl", "{\"id\":\"c1\",\"age\":50}\n");
    alike(0, "commit", "crm:dev", row, "--type", "Customer");
    alike(0, "diff", "crm", "main..dev");
    alike(0, "branch", "list", "crm");
    alike(0, "merge", "crm", "dev");
    alike(0, "merge", "crm", "dev", "--apply");
    alike(0, "query", "crm", "Customer");
    alike(0, "branch", "drop", "crm:dev");
    alike(1, "log", "crm:dev");
    alike(0, "branch", "drop", "crm", "--unfinished");
  }

  /** By who may administer that branch and no other; others change nothing, not half of it. */
  @Test
  void aBranchIsDroppedAsAWholeOrNotAtAll() throws IOException {
    Path tokens = directory.resolve("tokens");
    String writer = token(tokens, "writer", "read,write:names");
    String keeper = token(tokens, "keeper", "read:names", "admin:names/crm:dev");
    try (TidemarkServer asking =
        TidemarkServer.start(
            ServerSettings.standard().withPort(0),
            ServerResources.of(served),
            AccessControl.of(AccessSettings.none().withTokens(tokens)))) {
      String url = asking.address().toString();
      String[] asWriter = {"--server", url, "--token-file", writer};
      for (String[] words :
          List.of(
              new String[] {"ledger", "init", "crm"},
              new String[] {
                "commit", "crm", file("rows.json", ROWS), "--schema", file("types.json", TYPES)
              },
              new String[] {"branch", "create", "crm", "dev"})) {
        assertThat(plain(with(asWriter, words)).exitCode()).isZero();
      }
      Outcome refused = plain(with(asWriter, "branch", "drop", "crm:dev"));
      assertThat(refused.exitCode()).isEqualTo(ExitCodes.STORAGE);
      assertThat(refused.err()).contains("admin:names/crm:dev");
      assertThat(plain(with(asWriter, "log", "crm:dev")).exitCode()).isZero();
      assertThat(plain(with(asWriter, "branch", "list", "crm")).out())
          .contains("crm:dev")
          .doesNotContain("without a name");
      Outcome dropped = plain("branch", "drop", "crm:dev", "--server", url, "--token-file", keeper);
      assertThat(dropped).isEqualTo(new Outcome(0, "crm:dev: gone\n", ""));
      assertThat(plain(with(asWriter, "branch", "list", "crm")).out())
          .doesNotContain("dev", "without a name");
    }
  }

  private String token(Path tokens, String name, String... grants) throws IOException {
    List<Grant> all = Stream.of(grants).flatMap(grant -> Grant.parse(grant).stream()).toList();
    TokenRecord.NewToken newToken = TokenRecord.create(name, all, Instant.now(), Optional.empty());
    new TokenFile(tokens).add(newToken.token());
    return file(name, newToken.secret());
  }

  @Test
  void care() throws IOException {
    alike(0, "ledger", "init", "crm");
    alike(0, "commit", "crm", file("rows.json", ROWS), "--schema", file("types.json", TYPES));
    for (int age = 31; age < 35; age++) {
      String row = file("row.jsonl", "{\"id\":\"c1\",\"age\":" + age + "}\n");
      alike(0, "commit", "crm", row, "--type", "Customer");
    }
    Path out = directory.resolve("out");
    Path same = directory.resolve("same");
    String here = done("export", "crm", "--output", out.toString());
    String place = server.address().toString();
    Outcome there = plain("export", "crm", "--output", same.toString(), "--data", place);
    assertThat(there.out().strip().replace(same.toString(), out.toString())).isEqualTo(here);
    assertThat(Files.readString(out.resolve("Customer.jsonl"))).contains("\"age\":34");
    for (String name : List.of("Customer.jsonl", "Product.jsonl", "Sub.jsonl")) {
      assertThat(same.resolve(name)).hasSameTextualContentAs(out.resolve(name));
    }
    alike(0, "import", "crm", out.toString(), "--on-conflict", "skip");
    alike(0, "index", "verify", "crm");
    alike(0, "compact", "crm", "--all");
    alike(0, "compact", "crm", "--all", "--apply");
    alike(0, "query", "crm", "Customer", "--history");
    alike(0, "index", "repair", "crm", "--deep", "--apply");
    alike(0, "gc", "crm");
  }

  @Test
  void events() {
    alike(0, "events", "publish", "order.created", "{\"order\":1}", "--id", "o1");
    alike(0, "events", "publish", "order.created", "{\"order\":1}", "--id", "o1");
    alike(0, "events", "publish", "order.created", "{\"order\":2}", "--id", "o2");
    alike(0, "events", "list");
    alike(0, "events", "claim", "mailer", "--session", "me", "--limit", "2");
    alike(0, "events", "ack", "o1", "--handler", "mailer", "--session", "me");
    alike(
        0,
        "events",
        "release",
        "o2",
        "--handler",
        "mailer",
        "--session",
        "me",
        "--give-up",
        "--error",
        "no");
    alike(0, "events", "dead-letters");
    alike(0, "events", "namespaces");
    alike(0, "events", "sessions");
    alike(0, "events", "show", "o1");
    alike(1, "events", "show", "nope");
    alike(0, "events", "cleanup", "--before", "0s");
    alike(0, "events", "list");
  }
}
