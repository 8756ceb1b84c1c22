// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.internal.sql.SqlWorker;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code tidemark sql}, run as a command on a directory. */
class SqlCommandTest extends LedgerCommandFixture {

  @BeforeEach
  void twoCommits() throws IOException {
    crm();
    age("c1", 31);
  }

  @Test
  void anAnswerIsShownInColumns() {
    assertThat(done("sql", "crm", "SELECT id, age, commit_id FROM Customer ORDER BY id"))
        .isEqualTo(
            """
            ID  AGE  COMMIT_ID
            c1  31   2
            c2  9    1\
            """);
    assertThat(
            done("sql", "crm", "SELECT age, NULL AS n FROM Customer WHERE id = ?", "--param", "c2"))
        .isEqualTo(
            """
            AGE  N
            9    -\
            """);
    assertThat(done("sql", "crm", "FROM Customer WHERE age > 100")).isEqualTo("no rows");
  }

  @Test
  void thePastIsAsked() {
    String sql = "SELECT age FROM Customer WHERE id = 'c1'";
    assertThat(done("sql", "crm", sql, "--as-of", "1", "--format", "csv")).isEqualTo("age\n30");
    assertThat(done("sql", "crm", sql, "--as-of", "2999-01-01T00:00:00Z", "--format", "csv"))
        .isEqualTo("age\n31");
    failed(2, "--as-of takes a commit such as 17", "sql", "crm", sql, "--as-of", "someday");
  }

  /** The process of the command can't end what multiplies in one call of a function. */
  @Test
  void aStatementRunsInAProcessOfItsOwn() throws Exception {
    String slow =
        "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range > b.range";
    ExecutorService one = Executors.newSingleThreadExecutor();
    try {
      Future<?> asked =
          one.submit(() -> failed(4, "ended after 2.0 s", "sql", "crm", slow, "--timeout", "2"));
      boolean seen = false;
      while (!isDone(asked)) {
        seen |=
            ProcessHandle.current()
                .children()
                .anyMatch(
                    child ->
                        child.info().commandLine().filter(SqlCommandTest::isWorker).isPresent());
      }
      asked.get();
      assertThat(seen).as("a process for the statement").isTrue();
    } finally {
      one.shutdownNow();
    }
  }

  private static boolean isWorker(String command) {
    return command.contains(SqlWorker.class.getName());
  }

  private static boolean isDone(Future<?> asked) throws InterruptedException {
    try {
      asked.get(10, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      return true;
    }
  }

  @Test
  void sqlRunsWithoutLimitsOfTheSystemWhereThatIsAllowed() {
    String sql = "SELECT count(*) FROM Customer";
    assertThat(done("sql", "crm", sql, "--allow-unlimited-sql", "--format", "csv"))
        .isEqualTo("count_star()\n2");
  }

  @Test
  void programsReadJsonAndCsv() {
    assertThat(
            done(
                "sql",
                "crm",
                "SELECT id, age FROM Customer_history ORDER BY commit_id, id",
                "--json"))
        .isEqualTo(
            "{\"commit_id\":2,\"columns\":{\"id\":\"VARCHAR\",\"age\":\"BIGINT\"},\"rows\":["
                + "{\"id\":\"c1\",\"age\":30},{\"id\":\"c2\",\"age\":9},{\"id\":\"c1\",\"age\":31}]}");
    assertThat(
            done(
                "sql",
                "crm",
                "SELECT 'a,\"b' AS \"x,y\", '' AS empty, NULL AS nothing, [1, 2] AS list",
                "--format",
                "csv"))
        .isEqualTo("\"x,y\",empty,nothing,list\n\"a,\"\"b\",\"\",,\"[1,2]\"");
  }

  @Test
  void parametersAreNumbersWordsOrText() {
    assertThat(
            done(
                "sql",
                "crm",
                "SELECT typeof(?), typeof(?), ? IS NULL, ?",
                "--param",
                "5",
                "--param",
                "\"5\"",
                "--param",
                "null",
                "--param",
                "it's",
                "--format",
                "csv"))
        .endsWith("\nBIGINT,VARCHAR,true,it's");
    failed(2, "has 1 parameters, and 0 values", "sql", "crm", "SELECT ?");
  }

  @Test
  void anAnswerBecomesAFile() throws IOException {
    Path file = directory.resolve("out.parquet");
    assertThat(
            done("sql", "crm", "FROM Customer", "--format", "parquet", "--output", file.toString()))
        .isEqualTo("2 rows written to " + file);
    assertThat(Files.size(file)).isPositive();
    Path csv = directory.resolve("out.csv");
    done(
        "sql",
        "crm",
        "SELECT count(*) AS n FROM Sub",
        "--format",
        "csv",
        "--output",
        csv.toString());
    assertThat(Files.readString(csv)).isEqualTo("n\n1\n");
    failed(2, "needs --output", "sql", "crm", "FROM Customer", "--format", "parquet");
  }

  @Test
  void theNameOfTheFileTellsTheFormat() throws IOException {
    Path parquet = directory.resolve("named.PARQUET");
    assertThat(done("sql", "crm", "FROM Customer", "--output", parquet.toString()))
        .isEqualTo("2 rows written to " + parquet);
    assertThat(Files.readString(parquet, StandardCharsets.ISO_8859_1)).startsWith("PAR1");
    String count = "SELECT count(*) AS n FROM Sub";
    Path csv = directory.resolve("named.csv");
    done("sql", "crm", count, "--output", csv.toString());
    assertThat(Files.readString(csv)).isEqualTo("n\n1\n");
    Path text = directory.resolve("named.txt");
    done("sql", "crm", count, "--output", text.toString());
    assertThat(Files.readString(text)).isEqualTo("N\n1\n");
    done("sql", "crm", count, "--format", "table", "--output", csv.toString());
    assertThat(Files.readString(csv)).as("who says so gets it").isEqualTo("N\n1\n");
  }

  @Test
  void helpFitsTheLinesOfATerminal() {
    for (String verb : List.of("query", "sql", "diff", "compact", "branch", "merge")) {
      String footer = done(verb, "--help").split("\n\n", 2)[1];
      assertThat(footer.lines().filter(line -> line.matches("[^ ]+( [^ ]+)?[;.,]?")))
          .as("what is left of a line that was too long")
          .allMatch(
              line ->
                  line.matches(
                      "Examples:|Conditions:|Commands:|7: refused\\.|and instance_key\\."));
    }
  }

  @Test
  void theStatementCanComeFromStandardInput() {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream("SELECT 6 * 7 AS a".getBytes(StandardCharsets.UTF_8)));
    try {
      assertThat(done("sql", "crm", "-", "--format", "csv")).isEqualTo("a\n42");
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void mistakesAndRefusalsHaveTheirExitCodes() {
    failed(2, "isn't understood", "sql", "crm", "SELEC 1");
    failed(2, "there is no table 'nobody'", "sql", "crm", "FROM Nobody");
    failed(7, "only a SELECT is run", "sql", "crm", "DROP TABLE Customer");
    failed(7, "read_csv can't stand behind FROM", "sql", "crm", "FROM read_csv('/etc/passwd')");
    failed(4, "more than 1 rows", "sql", "crm", "FROM Customer", "--max-rows", "1");
    failed(
        4,
        "ended after 0.2 s",
        "sql",
        "crm",
        "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range > b.range",
        "--timeout",
        "0.2");
    failed(2, "--timeout has to be more", "sql", "crm", "SELECT 1", "--timeout", "0");
    failed(1, "there is no ledger", "sql", "none", "SELECT 1");
  }
}
