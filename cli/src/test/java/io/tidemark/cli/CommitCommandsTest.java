// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.LedgerOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Commits are made and told of; cases K2 and K3. */
class CommitCommandsTest extends LedgerCommandFixture {

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
  void aFileOfAnyLengthIsOneCommit() throws IOException {
    crm();
    int rows = LedgerOptions.standard().maxBatchSize() + 1;
    String lines =
        IntStream.range(0, rows)
            .mapToObj("{\"id\":\"n%d\",\"age\":1}\n"::formatted)
            .collect(Collectors.joining());
    String file = file("many.jsonl", lines);
    assertThat(done("commit", "crm", file, "--type", "Customer"))
        .isEqualTo("commit 2: " + rows + " rows written");
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
    failed(
        4,
        "rows.json has more rows than 3, which one commit takes; raise --max-batch, or leave it out",
        "commit",
        "crm",
        rows,
        "--max-batch",
        "3");
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
  void whatIsNoJsonIsNamedInOurWords() throws IOException {
    crm();
    String nan = file("nan.jsonl", "{\"id\":\"c1\",\"age\":NaN}");
    failed(
        4,
        "nan.jsonl, line 1: a line isn't JSON: Non-standard token 'NaN' in {",
        "commit",
        "crm",
        nan,
        "--type",
        "Customer");
    String deep = file("deep.jsonl", "{\"id\":" + "[".repeat(300) + "]".repeat(300) + "}");
    failed(
        4,
        "nesting depth (201) exceeds the maximum allowed (200) in {",
        "commit",
        "crm",
        deep,
        "--type",
        "Customer");
    failed(2, "--max-batch takes", "commit", "crm", nan, "--max-batch", "0");
  }

  @Test
  void dataCantCommandTheTerminal() throws IOException {
    crm();
    String row = file("row.jsonl", "{\"id\":\"\\u001b[31m\\u0007\\nred\\u009b\",\"age\":1}");
    assertThat(done("commit", "crm", row, "--type", "Customer")).startsWith("commit 2");
    assertThat(done("changes", "crm", "2"))
        .contains("entity:Customer \\u001b[31m\\u0007\\nred\\u009b  {")
        .matches(text -> text.chars().noneMatch(c -> Character.isISOControl(c) && c != '\n'));
    String bad = file("bad.jsonl", "{\"id\":\"\\u001b[31m\",\"age\":\"x\"}");
    failed(4, "entity:Customer \\u001b[31m: age is", "commit", "crm", bad, "--type", "Customer");
  }

  @Test
  void aKeyWithLinesAndControlCharactersStaysOnItsLine() throws IOException {
    crm();
    String row = file("row.jsonl", "{\"id\":\"a\\nb\\tc\\u001b[31m\",\"age\":1}\n");
    done("commit", "crm", row, "--type", "Customer");
    assertThat(done("query", "crm", "Customer", "--where", "age = 1").lines())
        .hasSize(2)
        .last()
        .asString()
        .isEqualTo("a\\nb\\tc\\u001b[31m  2       1");
    assertThat(done("changes", "crm", "2").lines()).hasSize(2);
    String bad = file("bad.jsonl", "{\"id\":\"a\\nb\\r\",\"age\":\"x\\ny\"}\n");
    Outcome outcome = run("commit", "crm", bad, "--type", "Customer");
    assertThat(outcome.err().lines())
        .singleElement()
        .asString()
        .contains("entity:Customer a\\nb\\r: age is \"x\\ny\"; it is a long");
    assertThat(
            run(
                    "commit",
                    "crm",
                    file("f.jsonl", "{\"id\":\"1\",\"age\":1,\"o\\nther\":1}"),
                    "--type",
                    "Customer")
                .err()
                .lines())
        .hasSize(1);
  }
}
