// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verbs on ledgers, each run as a command of its own on a directory; cases A, H, I and K. */
class LedgerVerbsTest {

  private static final String TYPES =
      """
      [{"entity": "Customer", "key": "id", "fields": {"id": "string", "age": "long"}},
       {"entity": "Product", "key": "sku", "fields": {"sku": "string"}},
       {"relation": "Sub", "left": "Customer", "right": "Product", "fields": {"seats": "long"}}]
      """;
  private static final String ROWS =
      """
      [{"type_kind":"entity","type_name":"Customer","fields":{"id":"c1","age":30}},
       {"type_kind":"entity","type_name":"Customer","fields":{"id":"c2","age":9}},
       {"type_kind":"entity","type_name":"Product","fields":{"sku":"p1"}},
       {"type_kind":"relation","type_name":"Sub","left_key":"c1","right_key":"p1",
        "fields":{"seats":5}}]
      """;

  private record Outcome(int exitCode, String out, String err) {}

  @TempDir private Path directory;

  private Outcome run(String... words) {
    List<String> arguments = new ArrayList<>(List.of(words));
    arguments.add("--data");
    arguments.add(directory.resolve("data").toString());
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        Tidemark.run(
            Verb.all(),
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            arguments.toArray(String[]::new));
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  private String done(String... words) {
    Outcome outcome = run(words);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    return outcome.out().strip();
  }

  private void failed(int exitCode, String message, String... words) {
    Outcome outcome = run(words);
    assertThat(outcome.err()).contains(message).startsWith("tidemark: ").doesNotContain("\tat ");
    assertThat(outcome.exitCode()).isEqualTo(exitCode);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  private Path objects(String path) {
    return directory.resolve("data/ledgers/crm").resolve(path);
  }

  /** A ledger with four rows in one commit. */
  private void crm() throws IOException {
    done("ledger", "init", "crm");
    assertThat(
            done("commit", "crm", file("rows.json", ROWS), "--schema", file("types.json", TYPES)))
        .isEqualTo("commit 1: 4 rows written");
  }

  private String age(String id, int age) throws IOException {
    String row = file("row.jsonl", "{\"id\":\"" + id + "\",\"age\":" + age + "}\n");
    return done("commit", "crm", row, "--type", "Customer", "-m", "age " + age, "--meta", "by=me");
  }

  @Test
  void casesAOneAndAThreeALedgerIsMadeOnceUnlessByForce() throws IOException {
    String plan = done("ledger", "init", "crm", "--dry-run", "--json");
    assertThat(plan)
        .contains("\"already_initialized\":false", "\"engine_version\":\"v1\"")
        .contains("\"meta/head.json\"", "\"meta/engine.json\"");
    assertThat(done("list")).isEqualTo("no records");
    assertThat(done("ledger", "init", "crm")).startsWith("made the ledger crm:main in ");
    assertThat(objects("meta/head.json")).exists();

    failed(4, "there is a ledger in", "ledger", "init", "crm");
    failed(7, "\"bad\" isn't it", "ledger", "init", "crm", "--force", "--token", "bad");
    failed(2, "--force and --token go together", "ledger", "init", "crm", "--force");

    crmCommitted();
    String token =
        found(
            "\"force_token\":\"([0-9a-f]{16})\"",
            done("ledger", "init", "crm", "--dry-run", "--json"));
    done("ledger", "init", "crm", "--force", "--token", token);
    assertThat(done("log", "crm")).isEqualTo("no commits");
    assertThat(done("show", "crm")).contains("head     unborn");
    crmCommitted();
    assertThat(done("list")).contains("crm:main  ledger  ready  1 baga");
  }

  private void crmCommitted() throws IOException {
    assertThat(
            done("commit", "crm", file("rows.json", ROWS), "--schema", file("types.json", TYPES)))
        .isEqualTo("commit 1: 4 rows written");
  }

  private static String found(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(pattern + " in " + text).isTrue();
    return matcher.group(1);
  }

  @Test
  void aLedgerCanBeElsewhere() throws IOException {
    Path other = directory.resolve("elsewhere");
    done("ledger", "init", "crm", "--objects", other.toString());
    assertThat(other.resolve("meta/head.json")).exists();
    assertThat(done("ledger", "info", "crm")).contains("file://" + other);
  }

  @Test
  void caseATwoWhatIsntALedgerIsNamed() {
    failed(1, "there is no ledger nope:main", "ledger", "info", "nope");
    done("create", "name");
    failed(5, "there is no ledger in", "ledger", "info", "name");
    failed(5, "initialise it first", "log", "name");
    failed(2, "\"../x\"", "ledger", "init", "../x");
  }

  @Test
  void caseKOneInfoHasTheseKeys() throws IOException {
    crm();
    String json = done("ledger", "info", "crm", "--stats", "--schema", "--json");
    assertThat(json)
        .startsWith("{\"ledger\":\"crm:main\",\"head_commit_id\":1,\"storage_uri\":\"file://")
        .contains("\"engine_version\":\"v1\",\"initialized\":true,\"last_index_warning\":null")
        .contains("\"entity_counts\":{\"Customer\":2,\"Product\":1}")
        .contains("\"relation_counts\":{\"Sub\":1}")
        .contains("\"entity_schemas\":{\"Customer\":{\"entity_name\":\"Customer\"")
        .contains("\"relation_schemas\":{\"Sub\":{");
    assertThat(done("ledger", "info", "crm", "--stats"))
        .contains("head     1", "indices  complete", "rows     entity:Customer 2");
  }

  @Test
  void aCommitTakesLinesAndArraysAndStandardInput() throws IOException {
    crm();
    assertThat(age("c1", 31)).isEqualTo("commit 2: 1 row written");
    assertThat(age("c1", 31)).isEqualTo("nothing to commit: all of it is so already");
    InputStream before = System.in;
    try {
      System.setIn(
          new ByteArrayInputStream(
              "{\"left_key\":\"c2\",\"right_key\":\"p1\",\"seats\":1}"
                  .getBytes(StandardCharsets.UTF_8)));
      assertThat(done("commit", "crm", "-", "--type", "Sub", "--json"))
          .startsWith("{\"commit_id\":3,\"timestamp\":\"")
          .contains("\"operations\":1,\"meta\":{\"namespace\":\"default\"}");
    } finally {
      System.setIn(before);
    }
    String same = file("row.jsonl", "{\"id\":\"c1\",\"age\":31.0}");
    assertThat(done("commit", "crm", same, "--type", "entity:Customer", "--json"))
        .isEqualTo("{\"commit_id\":null}");
  }

  @Test
  void whatCannotBeCommittedSaysWhy() throws IOException {
    crm();
    String row = file("row.jsonl", "{\"id\":\"c1\",\"age\":\"old\"}");
    failed(4, "row.jsonl, line 1: entity:Customer c1", "commit", "crm", row, "--type", "Customer");
    failed(4, "there is no type Custom; there are", "commit", "crm", row, "--type", "Custom");
    failed(4, "doesn't say its type", "commit", "crm", row);
    failed(1, "there is no such file", "commit", "crm", directory.resolve("none").toString());
    failed(2, "Missing required parameter", "commit", "crm");
    String rows = file("rows.json", ROWS.replace("c1", "n1").replace("c2", "n2"));
    failed(4, "4 assertions are queued", "commit", "crm", rows, "--max-batch", "3");
    String types = file("other.json", TYPES.replace("\"age\": \"long\"", "\"age\": \"long?\""));
    failed(3, "entity:Customer v1: changed age", "commit", "crm", rows, "--schema", types);
    failed(4, "other.json: ", "commit", "crm", rows, "--schema", file("other.json", "{}"));
    assertThat(done("log", "crm", "--json")).doesNotContain("\"commit_id\":2");
  }

  @Test
  void casesKTwoAndKThreeTheLogIsFilteredBeforeItIsCut() throws IOException {
    crm();
    age("c1", 31);
    age("c1", 32);
    assertThat(done("log", "crm", "--since", "1", "--json"))
        .contains("\"commit_id\":3", "\"commit_id\":2")
        .doesNotContain("\"commit_id\":1,");
    assertThat(done("log", "crm", "--meta", "message=age 31", "--last", "1").lines())
        .hasSize(2)
        .anyMatch(line -> line.startsWith("2       "));
    assertThat(done("log", "crm", "--last", "0")).isEqualTo("no commits");
    failed(2, "can't be negative", "log", "crm", "--last", "-1");
    failed(1, "there is no commit 99; take one from 1 to 3", "changes", "crm", "99");
    failed(1, "there is no commit 0", "changes", "crm", "0");
  }

  @Test
  void changesTellBeforeAndAfter() throws IOException {
    crm();
    age("c1", 31);
    assertThat(done("changes", "crm", "2")).endsWith("updated   entity:Customer c1  age 30 -> 31");
    assertThat(done("changes", "crm", "1"))
        .contains("inserted  relation:Sub (c1, p1)  {\"seats\":5}");
    assertThat(done("changes", "crm", "2", "--json"))
        .endsWith(
            "\"changes\":[{\"operation\":\"update_version\",\"type_kind\":\"entity\","
                + "\"type_name\":\"Customer\",\"key\":\"c1\",\"before\":{\"age\":30,\"id\":\"c1\"},"
                + "\"before_commit_id\":1,\"after\":{\"age\":31,\"id\":\"c1\"}}]}");
  }

  @Test
  void casesKFourToKSixWhatIsExportedIsImported() throws IOException {
    crm();
    String out = directory.resolve("out").toString();
    assertThat(done("export", "crm", "--output", out)).isEqualTo("Exported 4 rows to " + out + "/");
    done("ledger", "init", "copy");
    assertThat(done("import", "copy", out, "--json"))
        .startsWith("{\"status\":\"dry_run\",\"commit_id\":null,\"total_records\":4,\"inserts\":4");
    assertThat(done("import", "copy", out, "--apply", "--meta", "k=v", "--json"))
        .isEqualTo(
            "{\"status\":\"applied\",\"commit_id\":1,\"total_records\":4,\"inserts\":4,"
                + "\"updates\":0,\"unchanged\":0,\"skipped\":0,\"conflicts\":0,\"commits\":[1],"
                + "\"reasons\":[]}");
    assertThat(done("log", "copy", "--json")).contains("\"meta\":{\"k\":\"v\"");

    Outcome abort = run("import", "copy", out, "--apply", "--json");
    assertThat(abort.exitCode()).isEqualTo(6);
    assertThat(abort.out()).contains("\"status\":\"conflict\"", "\"conflicts\":4");
    assertThat(done("import", "copy", out, "--apply", "--on-conflict", "skip", "--json"))
        .contains("\"commit_id\":null", "\"skipped\":4");
    assertThat(done("import", "copy", out, "--apply", "--on-conflict", "upsert"))
        .contains("4 unchanged")
        .endsWith("nothing to commit: all of it is so already");
    Outcome head =
        run(
            "import",
            "copy",
            out,
            "--apply",
            "--on-conflict",
            "upsert",
            "--precondition",
            "if_commit_id:7");
    assertThat(head.exitCode()).isEqualTo(6);
    assertThat(head.out()).contains("the newest commit is 1, not 7", "nothing was written");
    done("import", "copy", out, "--precondition", "must_exist");
    assertThat(
            run("import", "copy", out, "--on-conflict", "skip", "--precondition", "must_not_exist")
                .exitCode())
        .isEqualTo(6);
  }

  @Test
  void importAndExportAreMisusedInTheseWays() throws IOException {
    crm();
    String out = directory.resolve("out").toString();
    failed(
        2,
        "exclude one another",
        "export",
        "crm",
        "--output",
        out,
        "--as-of",
        "1",
        "--history-since",
        "0");
    failed(2, "--output", "export", "crm");
    failed(1, "there is no commit 7", "export", "crm", "--output", out, "--as-of", "7");
    failed(4, "there is no type X", "export", "crm", "--output", out, "--type", "X");
    failed(1, "can't write", "export", "crm", "--output", file("a-file", ""));
    failed(1, "there is no such file", "import", "crm", out + "/none");
    failed(2, "there is no precondition 'x'", "import", "crm", out, "--precondition", "x");
    failed(2, "--on-conflict", "import", "crm", out, "--on-conflict", "x");
    failed(
        2,
        "skip or upsert",
        "import",
        "crm",
        out,
        "--on-conflict",
        "abort",
        "--precondition",
        "must_exist");
    failed(2, "--batch takes", "import", "crm", out, "--batch", "0");
    failed(4, "line 2: ", "import", "crm", file("bad.jsonl", "\n{\"x\""));
  }

  @Test
  void anImportInBatchesMakesSeveralCommits() throws IOException {
    crm();
    String out = directory.resolve("out").toString();
    done("export", "crm", "--output", out, "--with-metadata", "--history-since", "0");
    done("ledger", "init", "copy");
    assertThat(done("import", "copy", out, "--apply", "--batch", "3")).endsWith("commits 1 to 2");
  }

  @Test
  void schemasAreShownAndCompared() throws IOException {
    crm();
    String shown = done("schema", "show", "crm");
    assertThat(done("schema", "validate", "crm", file("shown.json", shown)))
        .isEqualTo("nothing differs");
    assertThat(done("schema", "show", "crm", "Sub"))
        .contains("\"relation\" : \"Sub\"", "\"left\" : \"Customer\"");
    assertThat(done("schema", "show", "crm", "Customer", "--version", "1", "--json"))
        .contains("\"schema_version_id\":1", "\"schema\":{\"entity\":\"Customer\"")
        .contains("\"schema_json\":{\"entity_name\":\"Customer\"");
    failed(
        1,
        "there is no version 2; there are [1]",
        "schema",
        "show",
        "crm",
        "Customer",
        "--version",
        "2");
    failed(2, "--version is of one TYPE", "schema", "show", "crm", "--version", "2");
    assertThat(done("schema", "history", "crm", "Customer")).contains("1        20", "initial");
    Outcome differs =
        run(
            "schema",
            "validate",
            "crm",
            file("t.json", TYPES.replace("\"age\": \"long\"", "\"name\": \"string\"")),
            "--json");
    assertThat(differs.exitCode()).isEqualTo(3);
    assertThat(differs.out())
        .contains("\"status\":\"mismatch\"", "\"added\":[\"name\"],\"removed\":[\"age\"]");
    assertThat(
            done(
                "schema",
                "validate",
                "crm",
                file("n.json", "{\"entity\":\"New\",\"key\":\"id\",\"fields\":{\"id\":\"long\"}}")))
        .contains("entity:New is new to the ledger");
  }

  @Test
  void casesIFourToISixAMigrationIsShownAndThenMeant() throws IOException {
    crm();
    String types =
        file(
            "next.json",
            TYPES.replace("\"age\": \"long\"", "\"years\": \"long\", \"tier\": \"string\""));
    String[] rules = {"--rename", "Customer.age=years", "--set", "Customer.tier=\"Gold\""};
    assertThat(done("schema", "migrate", "crm", types))
        .contains("entity:Customer v1: added tier, years; removed age (2 rows)")
        .contains("[entity:Customer] needs rules");
    assertThat(done("schema", "migrate", "crm", types, "--json"))
        .contains("\"estimated_rows\":2", "\"missing_upgraders\":[\"entity:Customer\"]");
    failed(4, "no upgrader", "schema", "migrate", "crm", types, "--apply", "--force");
    failed(
        4,
        "upgrading entity:Customer c1 failed",
        "schema",
        "migrate",
        "crm",
        types,
        "--rename",
        "Customer.age=years",
        "--apply",
        "--force");

    String token = found("--token (\\S+)", done(with(rules, "schema", "migrate", "crm", types)));
    failed(2, "either the --token", with(rules, "schema", "migrate", "crm", types, "--apply"));
    failed(
        2,
        "either the --token",
        with(rules, "schema", "migrate", "crm", types, "--apply", "--force", "--token", token));
    failed(2, "go with --apply", with(rules, "schema", "migrate", "crm", types, "--force"));
    failed(2, "is no JSON", "schema", "migrate", "crm", types, "--set", "Customer.tier=Gold");
    failed(2, "say TYPE.OLD=NEW", "schema", "migrate", "crm", types, "--rename", "age");
    age("c2", 10);
    failed(
        7, "isn't it", with(rules, "schema", "migrate", "crm", types, "--apply", "--token", token));

    token = found("--token (\\S+)", done(with(rules, "schema", "migrate", "crm", types)));
    assertThat(
            done(
                with(
                    rules,
                    "schema",
                    "migrate",
                    "crm",
                    types,
                    "--apply",
                    "--token",
                    token,
                    "--meta",
                    "why=tiers")))
        .isEqualTo("commit 3: 2 rows migrated");
    assertThat(done("changes", "crm", "3"))
        .contains("\"kind\":\"migration\"", "\"why\":\"tiers\"")
        .contains(
            "updated   entity:Customer c1  tier nothing -> \"Gold\", years nothing -> 30, age 30 -> nothing");
    assertThat(done("schema", "history", "crm", "Customer").lines()).hasSize(3);
    assertThat(done(with(rules, "schema", "migrate", "crm", types)))
        .isEqualTo("nothing to migrate: the types are so already");
  }

  private static String[] with(String[] more, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void whatMayBeNullNeedsNoRule() throws IOException {
    crm();
    String types =
        file(
            "next.json",
            TYPES.replace("\"age\": \"long\"", "\"age\": \"long?\", \"mail\": \"string?\""));
    assertThat(done("schema", "migrate", "crm", types, "--apply", "--force", "--json"))
        .contains("\"applied\":true,\"rows_migrated\":2,\"commit_id\":2");
    String out = directory.resolve("out").toString();
    done("export", "crm", "--output", out, "--as-of", "1");
    done("ledger", "init", "then");
    assertThat(done("import", "then", out, "--apply")).endsWith("commit 1");
    assertThat(done("schema", "show", "then", "Customer")).doesNotContain("mail");
  }

  @Test
  void caseINineADropIsRefusedUnlessAllOfItIsMeant() throws IOException {
    crm();
    failed(7, "is an end of [relation:Sub]", "schema", "drop", "crm", "Customer");
    failed(
        7,
        "rows would be lost",
        "schema",
        "drop",
        "crm",
        "Customer",
        "--cascade",
        "--apply",
        "--force");
    failed(4, "there is no type X", "schema", "drop", "crm", "X");
    String plan =
        done("schema", "drop", "crm", "Customer", "--drop-relation", "Sub", "--purge-history");
    assertThat(plan).startsWith("would drop entity:Customer with 2 rows, relation:Sub with 1 row");
    String token = found("--token (\\S+)", plan);
    failed(
        7,
        "isn't it",
        "schema",
        "drop",
        "crm",
        "Customer",
        "--cascade",
        "--purge-history",
        "--apply",
        "--token",
        "x");
    assertThat(
            done(
                "schema",
                "drop",
                "crm",
                "Customer",
                "--cascade",
                "--purge-history",
                "--apply",
                "--token",
                token,
                "--json"))
        .isEqualTo(
            "{\"affected_types\":[\"entity:Customer\",\"relation:Sub\"],"
                + "\"rows\":{\"entity:Customer\":2,\"relation:Sub\":1},\"purge_history\":true,"
                + "\"applied\":true,\"commit_id\":2}");
    assertThat(done("ledger", "info", "crm", "--stats", "--json"))
        .contains("\"entity_counts\":{\"Product\":1},\"relation_counts\":{}");
  }

  @Test
  void caseHTwoALostIndexIsFoundAndRepaired() throws IOException {
    crm();
    assertThat(done("index", "verify", "crm")).isEqualTo("the indices are complete up to commit 1");
    Files.delete(objects("meta/indices/entities/Customer.json"));
    Outcome verify = run("index", "verify", "crm", "--json");
    assertThat(verify.exitCode()).isEqualTo(4);
    assertThat(verify.out().strip())
        .isEqualTo(
            "{\"head_commit_id\":1,\"lagged_types\":[\"entity:Customer\"],\"missing_latest\":[],"
                + "\"holes\":[],\"ok\":false}");
    assertThat(done("ledger", "info", "crm", "--json"))
        .contains("\"last_index_warning\":\"index lag detected for entity:Customer");
    assertThat(done("ledger", "info", "crm", "--stats")).contains("entity:Customer 2");
    assertThat(done("index", "repair", "crm")).contains("would repair [entity:Customer]");
    assertThat(done("index", "repair", "crm", "--apply", "--json"))
        .isEqualTo(
            "{\"head_commit_id\":1,\"planned_types\":[\"entity:Customer\"],\"applied\":true,"
                + "\"repair_head\":1}");
    assertThat(done("index", "repair", "crm", "--deep")).isEqualTo("nothing to repair");
    assertThat(done("index", "verify", "crm", "--deep", "--json")).contains("\"ok\":true");
  }

  @Test
  void caseHFiveALostListOfTypesIsAWarningAndVerifyFails() throws IOException {
    crm();
    Files.delete(objects("meta/schema/types.json"));
    assertThat(done("ledger", "info", "crm", "--json"))
        .contains("\"last_index_warning\":\"meta/schema/types.json of the ledger in");
    failed(5, "meta/schema/types.json", "index", "verify", "crm");
    failed(5, "is missing", "index", "repair", "crm");
  }

  @Test
  void leftoversAreDeletedWhenTheyAreOldAndItIsMeant() throws IOException {
    crm();
    Path orphan = objects("commits/2-deadbeef/entities/Customer.parquet");
    Files.createDirectories(orphan.getParent());
    Files.writeString(orphan, "x");
    assertThat(done("gc", "crm")).isEqualTo("nothing is left over");
    Files.setLastModifiedTime(orphan, FileTime.from(Instant.now().minusSeconds(3 * 86_400)));
    assertThat(done("gc", "crm"))
        .contains("commits/2-deadbeef/", "nothing was deleted, run it with --apply");
    assertThat(orphan).exists();
    assertThat(done("gc", "crm", "--min-age", "7d")).isEqualTo("nothing is left over");
    assertThat(done("gc", "crm", "--min-age", "48h", "--apply", "--json"))
        .contains("\"min_age_seconds\":172800,\"applied\":true")
        .contains("\"directory\":\"commits/2-deadbeef/\"");
    assertThat(orphan).doesNotExist();
    assertThat(age("c1", 31)).isEqualTo("commit 2: 1 row written");
    failed(2, "'x' is no age", "gc", "crm", "--min-age", "x");
    failed(2, "--min-age must be at least 30s", "gc", "crm", "--min-age", "1s");
  }

  @Test
  void everyVerbHasExamples() {
    for (String verb :
        List.of(
            "ledger", "commit", "log", "changes", "schema", "import", "export", "index", "gc")) {
      assertThat(help(verb)).contains("Usage: tidemark " + verb, "Examples:");
    }
    for (String part :
        List.of(
            "ledger init",
            "ledger info",
            "schema show",
            "schema history",
            "schema validate",
            "schema migrate",
            "schema drop",
            "index verify",
            "index repair")) {
      assertThat(help(part.split(" "))).contains("Usage: tidemark " + part, "Examples:");
    }
  }

  @Test
  void aVerbWithPartsSaysWhichWhenNoneIsNamed() {
    assertThat(plain("ledger").err()).startsWith("tidemark: say what to do: init or info");
    assertThat(plain("index").err()).startsWith("tidemark: say what to do: verify or repair");
    assertThat(plain("schema").err()).startsWith("tidemark: say what to do: show, history");
    assertThat(plain("schema").exitCode()).isEqualTo(2);
  }

  private static String help(String... words) {
    return plain(with(words, "help")).out();
  }

  /** Without the option for the data, which these don't take. */
  private static Outcome plain(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        Tidemark.run(Verb.all(), new PrintWriter(out, true), new PrintWriter(err, true), words);
    return new Outcome(exitCode, out.toString(), err.toString());
  }
}
