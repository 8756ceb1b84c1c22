// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code tidemark query}, run as a command on a directory. */
class QueryCommandTest extends LedgerCommandFixture {

  private static final String SCHEMA =
      """
      [{"entity": "Customer", "key": "id", "fields": {
          "id": "string", "age": "long?", "tier": "string", "events": [{"kind": "string"}]}},
       {"relation": "Sub", "left": "Customer", "right": "Customer", "fields": {"seats": "long"}}]
      """;
  private static final String CUSTOMERS =
      """
      [{"type_kind":"entity","type_name":"Customer",
        "fields":{"id":"c1","age":30,"tier":"Gold","events":[{"kind":"click"}]}},
       {"type_kind":"entity","type_name":"Customer",
        "fields":{"id":"c2","age":9,"tier":"Silver","events":[]}},
       {"type_kind":"entity","type_name":"Customer",
        "fields":{"id":"c3","tier":"Gold","events":[]}},
       {"type_kind":"relation","type_name":"Sub","left_key":"c1","right_key":"c2",
        "fields":{"seats":5}},
       {"type_kind":"relation","type_name":"Sub","left_key":"c2","right_key":"zz",
        "fields":{"seats":7}}]
      """;

  @BeforeEach
  void twoCommits() throws IOException {
    done("ledger", "init", "crm");
    String schema = file("types.json", SCHEMA);
    done("commit", "crm", file("rows.json", CUSTOMERS), "--schema", schema);
    String older = "{\"id\":\"c1\",\"age\":31,\"tier\":\"Gold\",\"events\":[]}\n";
    done("commit", "crm", file("more.jsonl", older), "--type", "Customer");
  }

  /** More than a row group of DuckDB, which several threads sort and hand out. */
  @Test
  void alsoALargeAnswerIsInItsOrder() throws IOException {
    int rows = 130_000;
    Path lines = directory.resolve("large.jsonl");
    try (BufferedWriter out = Files.newBufferedWriter(lines)) {
      for (int i = 0; i < rows; i++) {
        out.write("{\"id\":\"k%06d\",\"n\":%d}\n".formatted(i, (i * 7919L) % rows));
      }
    }
    String types =
        file(
            "large.json",
            "{\"entity\": \"E\", \"key\": \"id\", \"fields\": {\"id\": \"string\", \"n\":"
                + " \"long\"}}");
    done("ledger", "init", "large");
    done("commit", "large", lines.toString(), "--schema", types, "--type", "E");

    List<Long> expected = LongStream.range(0, rows).boxed().toList();
    Matcher found =
        Pattern.compile("\"n\":(\\d+)")
            .matcher(done("query", "large", "E", "--order", "n", "--json"));
    assertThat(found.results().map(each -> Long.valueOf(each.group(1))).toList().equals(expected))
        .as("the order of a query")
        .isTrue();
    String csv = done("sql", "large", "SELECT n FROM E ORDER BY n", "--format", "csv");
    assertThat(csv.lines().skip(1).map(Long::valueOf).toList().equals(expected))
        .as("the order of SQL")
        .isTrue();
  }

  @Test
  void rowsAreShownInColumns() {
    assertThat(done("query", "crm", "Customer", "--where", "tier = \"Gold\"", "--order", "age"))
        .isEqualTo(
            """
            KEY  COMMIT  AGE  EVENTS  TIER
            c1   2       31   []      Gold
            c3   1       -    []      Gold\
            """);
    assertThat(done("query", "crm", "Sub", "--where", "left.tier = \"Gold\""))
        .isEqualTo(
            """
            LEFT  RIGHT  COMMIT  SEATS
            c1    c2     1       5\
            """);
    assertThat(done("query", "crm", "Customer", "--where", "age > 100")).isEqualTo("no rows");
    assertThat(done("query", "crm", "Customer", "--where", "age > 1", "--where", "age < 10"))
        .as("several conditions hold at once")
        .contains("c2")
        .doesNotContain("c1");
  }

  @Test
  void rowsAreShownAsJson() {
    assertThat(done("query", "crm", "Sub", "--where", "seats = 7", "--ends", "--json"))
        .startsWith("{\"commit_id\":2,\"rows\":[{")
        .contains("\"left_key\":\"c2\",\"right_key\":\"zz\"", "\"fields\":{\"seats\":7}")
        .contains("\"left\":{\"age\":9,")
        .doesNotContain("\"right\":")
        .endsWith("\"next\":null}");
    assertThat(done("query", "crm", "Customer", "--count", "--json")).isEqualTo("{\"count\":3}");
  }

  @Test
  void thePastIsShown() {
    assertThat(
            done(
                "query",
                "crm",
                "Customer",
                "--where",
                "any(events.kind = \"click\")",
                "--as-of",
                "1"))
        .contains("c1   1       30");
    assertThat(done("query", "crm", "Customer", "--where", "@key = \"c1\"", "--history"))
        .contains("c1   1       30", "c1   2       31");
    assertThat(done("query", "crm", "Customer", "--since", "1"))
        .contains("c1   2")
        .doesNotContain("c2");
    assertThat(done("query", "crm", "Customer", "--as-of", "2999-01-01T00:00:00Z", "--count"))
        .isEqualTo("3");
    Outcome yesterday = run("query", "crm", "Customer", "--as-of", "yesterday", "--count");
    assertThat(yesterday.out().strip()).isEqualTo("0");
    assertThat(yesterday.err())
        .matches("tidemark: 'yesterday' is [0-9-]{10}T00:00:00\\S+ \\(\\S+\\)\\R");
    Outcome before = run("query", "crm", "Customer", "--as-of", "0");
    assertThat(before.out()).isEqualToIgnoringNewLines("no rows");
    assertThat(before.err()).contains("as of commit 0 nothing of entity:Customer matches");
    assertThat(before.exitCode()).isZero();
  }

  @Test
  void thePastBeforeAMigrationIsShownInTheSchemaOfNowOrThen() throws IOException {
    String types =
        file("next.json", SCHEMA.replaceFirst("\"tier\":", "\"email\":\"string?\",\"tier\":"));
    done("schema", "migrate", "crm", types, "--apply", "--force");

    Outcome now = run("query", "crm", "Customer", "--as-of", "2", "--count");
    assertThat(now.out().strip()).isEqualTo("3");
    assertThat(now.err().strip())
        .isEqualTo("tidemark: entity:Customer: 3 rows of version 1 shown in version 2");
    assertThat(run("query", "crm", "Customer", "--count").err()).isEmpty();
    assertThat(run("query", "crm", "Customer", "--as-of", "2").out()).contains("EMAIL");
    Outcome then = run("query", "crm", "Customer", "--as-of", "2", "--schema-as-of-commit");
    assertThat(then.out()).contains("TIER").doesNotContain("EMAIL");
    assertThat(then.err()).isEmpty();
    assertThat(run("query", "--schema-as-of-commit", "2", "crm", "Customer").out())
        .contains("TIER")
        .doesNotContain("EMAIL");
    assertThat(done("query", "crm", "Customer", "--as-of", "1", "--explain"))
        .contains("entity:Customer: 3 rows of version 1 shown in version 2");
    failed(2, "--as-of", "query", "crm", "Customer", "--schema-as-of-commit");
    for (String wrong : List.of("x1", "-1", "1.5", "1234567890123456789", "")) {
      failed(
          2,
          "--schema-as-of-commit takes a commit such as 17, unlike '" + wrong + "'",
          "query",
          "crm",
          "Customer",
          "--schema-as-of-commit=" + wrong);
    }
    assertThat(run("query", "crm", "Customer", "--schema-as-of-commit=2").out())
        .contains("TIER")
        .doesNotContain("EMAIL");
    failed(
        4,
        "email",
        "query",
        "crm",
        "Customer",
        "--where",
        "email is null",
        "--where",
        "email = \"x\"",
        "--schema-as-of-commit",
        "2");

    Outcome exported =
        run("export", "crm", "--output", directory.resolve("now").toString(), "--as-of", "1");
    assertThat(exported.err()).contains("3 rows of version 1 shown in version 2");
    assertThat(directory.resolve("now/Customer.jsonl")).content().contains("\"email\":null");
    done(
        "export",
        "crm",
        "--output",
        directory.resolve("then").toString(),
        "--as-of",
        "1",
        "--schema-as-of-commit");
    assertThat(directory.resolve("then/Customer.jsonl")).content().doesNotContain("email");
    assertThat(directory.resolve("then/schema.json")).content().doesNotContain("email");

    Outcome sql =
        run("sql", "crm", "SELECT count(*) FROM Customer WHERE email IS NULL", "--as-of", "2");
    assertThat(sql.out()).contains("3");
    assertThat(sql.err()).contains("3 rows of version 1 shown in version 2");
    failed(
        2,
        "email",
        "sql",
        "crm",
        "SELECT email FROM Customer",
        "--as-of",
        "2",
        "--schema-as-of-commit");
  }

  @Test
  void aPageOfATimeThatPassesNamesTheCommitThatItIsOf() throws IOException {
    Outcome first = run("query", "crm", "Customer", "--limit", "1", "--as-of", "now");
    assertThat(first.out()).containsPattern("more with --as-of \\d+ --after \\S+");
    String onwards = first.out().substring(first.out().indexOf("--as-of")).strip();
    String more = "{\"id\":\"zz\",\"tier\":\"Gold\",\"events\":[]}";
    done("commit", "crm", file("more.jsonl", more), "--type", "Customer");
    String second =
        done(
            LedgerCommandFixture.with(
                onwards.split(" "), "query", "crm", "Customer", "--limit", "99"));
    assertThat(second).contains("c2", "c3").doesNotContain("zz", "c1", "more with");
  }

  @Test
  void pagesGoOnWhereTheLastOneEnded() {
    String first = done("query", "crm", "Customer", "--order", "age desc", "--limit", "2");
    assertThat(first).contains("c1", "c2").contains("more with --after ");
    String cursor = first.substring(first.indexOf("--after ") + "--after ".length());

    assertThat(
            done(
                "query",
                "crm",
                "Customer",
                "--order",
                "age desc",
                "--limit",
                "2",
                "--after",
                cursor))
        .contains("c3")
        .doesNotContain("c1", "more");
  }

  @Test
  void itSaysHowItWouldAnswer() {
    assertThat(done("query", "crm", "Customer", "--where", "age > 10", "--as-of", "1", "--explain"))
        .contains(
            "commits 1 to 1 of 2", "where age > 10", "1 file of ", "entities/Customer.parquet")
        .containsPattern("read [01] of 1 row groups, [0-9]+ bytes")
        .contains("read_parquet");
    assertThat(done("query", "crm", "Customer", "--count", "--explain")).contains("SELECT count(");
    assertThat(done("query", "crm", "Customer", "--explain", "--json"))
        .contains("\"file_count\":2", "\"row_groups\":");
  }

  @Test
  void whatIsWrongIsNamed() {
    failed(2, "  tier = Gold\n         ^", "query", "crm", "Customer", "--where", "tier = Gold");
    failed(4, "entity:Customer has no agee", "query", "crm", "Customer", "--where", "agee > 1");
    failed(4, "there is no type Nobody", "query", "crm", "Nobody");
    failed(2, "can't be negative", "query", "crm", "Customer", "--limit", "-1");
    failed(2, "--as-of takes a commit", "query", "crm", "Customer", "--as-of", "someday");
    failed(2, "exclude one another", "query", "crm", "Customer", "--history", "--since", "1");
    failed(2, "--order takes a field", "query", "crm", "Customer", "--order", "age down");
    failed(4, "is no cursor", "query", "crm", "Customer", "--after", "x");
    failed(1, "nobody", "query", "nobody", "Customer");
  }
}
