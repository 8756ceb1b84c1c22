// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.internal.parquet.DuckDb;
import io.tidemark.ledger.internal.sql.InvalidSqlException;
import io.tidemark.ledger.internal.sql.SqlLimitException;
import io.tidemark.ledger.internal.sql.SqlLimits;
import io.tidemark.ledger.internal.sql.SqlResult;
import io.tidemark.ledger.query.QuerySettings.Isolation;
import io.tidemark.ledger.query.SqlQuery;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.testkit.objects.RequestCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQL for people: what it finds. What it must not do is in {@link SqlSandboxTest}. */
class SqlTest {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final LedgerFixture fixture =
      new LedgerFixture(new MemoryBackend(), LedgerFixture.QUERIES.withIsolation(isolation()));

  /** Where statements run. */
  Isolation isolation() {
    return Isolation.THIS_PROCESS;
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Ledger shop() {
    Ledger ledger = fixture.init();
    Shop.commit(ledger);
    return ledger;
  }

  private static List<String> lines(SqlQuery query) {
    List<String> lines = new ArrayList<>();
    try (SqlResult answer = query.execute()) {
      for (Optional<List<JsonNode>> row = answer.next(); row.isPresent(); row = answer.next()) {
        lines.add(String.join(" ", row.get().stream().map(JsonNode::asText).toList()));
      }
    }
    return lines;
  }

  private static List<String> lines(Ledger ledger, String sql) {
    return lines(ledger.query().sql(sql));
  }

  @Test
  void typesAreTablesWithTheirFieldsAsColumns() {
    Ledger ledger = shop();

    assertThat(lines(ledger, "SELECT id, age + 1 FROM Cust WHERE tier = 'Gold' ORDER BY id"))
        .containsExactly("c1 31", "c3 null");
    assertThat(lines(ledger, "WITH Cust AS (FROM Cust WHERE age > 50) SELECT id FROM Cust; "))
        .as("a name that is given again")
        .containsExactly("c4");
    assertThat(lines(ledger, "select count(*), sum(age), avg(score) from cust"))
        .as("SQL sees no case")
        .containsExactly("4 139 7.25");
    assertThat(
            lines(
                ledger,
                "SELECT c.name, p.name, seats FROM Sub s JOIN Cust c ON c.id = s.left_key"
                    + " JOIN Prod p ON p.id = s.right_key ORDER BY seats"))
        .containsExactly("bob W 2", "Alice W 5", "Alice G 10");
    assertThat(lines(ledger, "SELECT profile->'address'->>'city' c FROM Cust WHERE c IS NOT NULL"))
        .containsExactlyInAnyOrder("SF", "LA");
    assertThat(lines(ledger, "FROM Cust SELECT id WHERE profile IS NULL"))
        .as("what is null in JSON is null in SQL")
        .containsExactly("c3");
    assertThat(
            lines(
                ledger,
                "SELECT c.id, e.value->>'kind' FROM Cust c, json_each(events) e ORDER BY ALL"))
        .containsExactly("c1 click", "c1 view", "c2 view");
  }

  @Test
  void aStatementMayHaveAnyAmountOfBlanksInItAndSemicolonsBehindIt() {
    Ledger ledger = shop();

    // A scan of quadratic time takes longer than the limit below.
    String sql = "SELECT count(*)" + " ".repeat(990_000) + "FROM Cust ;\t" + ";\n ".repeat(1_000);
    assertTimeoutPreemptively(
        Duration.ofMinutes(5), () -> assertThat(lines(ledger, sql)).containsExactly("4"));
  }

  @Test
  void everyTableHasWhatEveryRowHas() {
    Ledger ledger = shop();

    try (SqlResult answer = ledger.query().sql("SELECT * FROM Sub LIMIT 0").execute()) {
      assertThat(answer.columns().stream().map(c -> c.name() + " " + c.type()))
          .containsExactly(
              "seats BIGINT",
              "commit_id BIGINT",
              "left_key VARCHAR",
              "right_key VARCHAR",
              "instance_key VARCHAR",
              "schema_version_id BIGINT",
              "fields_json VARCHAR");
      assertThat(answer.commitId()).isEqualTo(1);
    }
    assertThat(lines(ledger, "SELECT entity_key, commit_id, fields_json FROM Prod ORDER BY 1 DESC"))
        .containsExactly(
            "p2 1 {\"id\":\"p2\",\"name\":\"G\",\"price\":49.5}",
            "p1 1 {\"id\":\"p1\",\"name\":\"W\",\"price\":9.99}");
  }

  @Test
  void thePastIsATableToo() {
    Ledger ledger = fixture.init();
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      session.ensure(List.of(Customer.of("a", 1), Customer.of("b", 1))).commit(Map.of("by", "x"));
      session.ensure(Customer.of("a", 2)).commit();
      session.ensure(Customer.of("c", 3)).commit();
    }

    String state = "SELECT id, age, commit_id FROM Customer ORDER BY id";
    assertThat(lines(ledger, state)).containsExactly("a 2 2", "b 1 1", "c 3 3");
    assertThat(lines(ledger.query().sql(state).asOf(1))).containsExactly("a 1 1", "b 1 1");
    assertThat(lines(ledger.query().sql(state).asOf(2))).containsExactly("a 2 2", "b 1 1");
    assertThat(lines(ledger.query().sql(state).asOf(0))).isEmpty();
    assertThat(lines(ledger.query().sql(state).asOf(99))).hasSize(3);

    String history = "SELECT commit_id, id, age FROM Customer_history ORDER BY ALL";
    assertThat(lines(ledger, history)).containsExactly("1 a 1", "1 b 1", "2 a 2", "3 c 3");
    assertThat(lines(ledger.query().sql(history).asOf(2)))
        .containsExactly("1 a 1", "1 b 1", "2 a 2");

    String commits = "SELECT commit_id, row_count, metadata->>'by' FROM commits ORDER BY 1";
    assertThat(lines(ledger, commits)).containsExactly("1 2 x", "2 1 null", "3 1 null");
    assertThat(lines(ledger.query().sql(commits).asOf(1))).containsExactly("1 2 x");
    assertThat(
            lines(
                ledger,
                "SELECT h.id, count(*) FROM Customer_history h JOIN commits c USING (commit_id)"
                    + " WHERE c.created_at <= now() GROUP BY ALL ORDER BY ALL"))
        .containsExactly("a 2", "b 1", "c 1");
  }

  @Test
  void parametersAreValuesAndNeverSql() {
    Ledger ledger = shop();
    SqlQuery query =
        ledger.query().sql("SELECT id FROM Cust WHERE tier = ? AND age > ? ORDER BY 1");

    assertThat(lines(query.with(List.of(JSON.textNode("Gold"), JSON.numberNode(10)))))
        .containsExactly("c1");
    assertThat(lines(query.with(List.of(JSON.textNode("' OR 1=1 --"), JSON.numberNode(1)))))
        .isEmpty();
    assertThat(
            lines(
                ledger
                    .query()
                    .sql("SELECT $2, $1, ?::BOOLEAN IS NULL")
                    .with(List.of(JSON.numberNode(1.5), JSON.booleanNode(true), JSON.nullNode()))))
        .containsExactly("true 1.5 true");
    assertThatThrownBy(() -> lines(query.with(List.of())))
        .isInstanceOf(InvalidSqlException.class)
        .hasMessage("the statement has 2 parameters, and 0 values were given");
    assertThatThrownBy(() -> lines(ledger.query().sql("SELECT $x")))
        .isInstanceOf(InvalidSqlException.class)
        .hasMessageContaining("parameters are ? or $1");
    assertThatThrownBy(() -> lines(ledger.query().sql("SELECT ?").with(List.of(JSON.arrayNode()))))
        .hasMessage("parameter 1 is []; give text, a number, true, false or null");
  }

  @Test
  void valuesOfAllKindsBecomeJson() {
    Ledger ledger = shop();
    String sql =
        "SELECT [1, NULL], {'a': 1, 'b': 'x'}, MAP {'k': 1.50::DECIMAL(9,2), 'l':"
            + " 100::DECIMAL(9,2)}, DATE '2020-01-02', TIMESTAMPTZ '2020-01-02 03:04:05+00',"
            + " TIMESTAMP '2020-01-02 03:04:05', 170141183460469231731687303715884105727::HUGEINT,"
            + " 'xy'::BLOB, '{\"z\":[1]}'::JSON, 'nan'::DOUBLE, 0.5::DOUBLE, NULL, true, INTERVAL 3"
            + " DAYS";

    try (SqlResult answer = ledger.query().sql(sql).execute()) {
      assertThat(answer.next().orElseThrow().stream().map(JsonNode::toString))
          .containsExactly(
              "[1,null]",
              "{\"a\":1,\"b\":\"x\"}",
              "{\"k\":1.5,\"l\":100}",
              "\"2020-01-02\"",
              "\"2020-01-02T03:04:05+00:00\"",
              "\"2020-01-02T03:04:05\"",
              "170141183460469231731687303715884105727",
              "\"eHk=\"",
              "{\"z\":[1]}",
              "\"NaN\"",
              "0.5",
              "null",
              "true",
              "\"3 days\"");
      assertThat(answer.next()).isEmpty();
    }
  }

  @Test
  void columnsOfTheSameNameAreToldApart() {
    try (SqlResult answer =
        shop().query().sql("SELECT 1 AS a, 2 AS a, 3 AS a_1 FROM Prod").execute()) {
      assertThat(answer.columns().stream().map(SqlResult.Column::name))
          .containsExactly("a", "a_1", "a_1_1");
    }
  }

  @Test
  void tablesAreDescribedWithoutReadingThem() {
    shop().close(); // and with it what follows a commit
    Ledger ledger = fixture.open();
    lines(ledger, "SHOW TABLES");

    RequestCounts requestCounts =
        fixture
            .counting()
            .during(
                () ->
                    assertThat(lines(ledger, "SHOW TABLES"))
                        .containsExactly(
                            "Cust",
                            "Cust_history",
                            "Prod",
                            "Prod_history",
                            "Sub",
                            "Sub_history",
                            "commits"));
    assertThat(requestCounts.total()).as("the head and the list of types").isEqualTo(2);
    assertThat(lines(ledger, "SELECT column_name FROM (DESCRIBE Prod) LIMIT 3"))
        .containsExactly("id", "name", "price");
  }

  @Test
  void namesThatSqlCantTellApartAreAllReached() {
    Ledger ledger = fixture.init();
    String schemas =
        """
        [{"entity": "T", "key": "id", "fields": {"id": "string", "Id": "long", "commit_id": "long"}},
         {"entity": "t", "key": "id", "fields": {"id": "string"}},
         {"entity": "T_history", "key": "id", "fields": {"id": "string"}},
         {"entity": "commits", "key": "id", "fields": {"id": "string"}},
         {"entity": "a.b-c", "key": "id", "fields": {"id": "string"}},
         {"relation": "T", "left": "T", "right": "t", "fields": {"n": "long"}}]
        """;
    try (Session session = ledger.session(DeclaredSchema.parse(schemas))) {
      session.ensure(
          TypeId.entity("T"), JSON.objectNode().put("id", "x").put("Id", 5).put("commit_id", 77));
      session.commit();
    }

    assertThat(lines(ledger, "SHOW TABLES"))
        .containsExactlyInAnyOrder(
            "T",
            "t@entity",
            "T_history",
            "commits",
            "a.b-c",
            "T@relation",
            "T_history@history",
            "t@entity_history",
            "T_history_history",
            "commits_history",
            "a.b-c_history",
            "T@relation_history",
            "commits@commits");
    assertThat(
            lines(
                ledger,
                "SELECT id, commit_id, fields_json->>'commit_id', fields_json->>'id' FROM T"))
        .as("a field that is called like another column is in the payload")
        .containsExactly("5 1 77 x");
    assertThat(lines(ledger, "SELECT count(*) FROM \"a.b-c\"")).containsExactly("0");
    assertThat(lines(ledger, "SELECT count(*) FROM \"commits@commits\"")).containsExactly("1");
  }

  @Test
  void whatIsWrongIsSaidWithItsPlace() {
    Ledger ledger = shop();

    assertThatThrownBy(() -> lines(ledger, "SELECT id\nFORM Cust WHERE"))
        .isInstanceOf(InvalidSqlException.class)
        .hasMessageContaining("isn't understood")
        .hasMessageContaining("^");
    assertThatThrownBy(() -> lines(ledger, "SELECT agee FROM Cust"))
        .isInstanceOf(InvalidSqlException.class)
        .hasMessageContaining("agee")
        .hasMessageContaining("\"age\"");
    assertThatThrownBy(() -> lines(ledger, "SELECT * FROM Customer"))
        .isInstanceOf(InvalidSqlException.class)
        .hasMessage(
            "there is no table 'customer'; there are Cust, Cust_history, Prod, Prod_history, Sub,"
                + " Sub_history, commits");
    assertThatThrownBy(() -> lines(ledger, "SELECT CAST(name AS INTEGER) FROM Cust"))
        .isInstanceOf(InvalidSqlException.class)
        .hasMessageContaining("Conversion Error");
    assertThatThrownBy(() -> lines(ledger, "")).hasMessageContaining("no statement");
  }

  @Test
  void anAnswerBecomesAParquetFileInOneStep(@TempDir Path directory) throws Exception {
    Ledger ledger = shop();
    Path file = directory.resolve("it's.parquet");
    SqlQuery query = ledger.query().sql("SELECT id, age FROM Cust WHERE age > ? -- the old");

    assertThat(query.with(List.of(JSON.numberNode(10))).write(file)).isEqualTo(2);
    try (DuckDb other = new DuckDb()) {
      assertThat(other.rows("FROM read_parquet('" + escaped(file) + "') ORDER BY 1"))
          .containsExactly("c1|30", "c4|100");
    }

    assertThatThrownBy(() -> ledger.query().sql("SELECT nothing FROM Cust").write(file))
        .isInstanceOf(InvalidSqlException.class);
    assertThatThrownBy(
            () ->
                ledger
                    .query()
                    .sql("SELECT a.range FROM range(1000000000) a, range(1000000) b")
                    .within(SqlLimits.standard().withTime(Duration.ofMillis(200)))
                    .write(file))
        .isInstanceOf(SqlLimitException.class);
    try (var files = Files.list(directory)) {
      assertThat(files)
          .as("what failed left nothing, and the file as it was")
          .containsExactly(file);
    }
  }

  @Test
  void aParquetFileHasALimitOfBytes(@TempDir Path directory) throws Exception {
    Ledger ledger = shop();
    assertThatAFileIsLimited(ledger, directory);
  }

  static void assertThatAFileIsLimited(Ledger ledger, Path directory) throws IOException {
    SqlQuery large =
        ledger.query().sql("SELECT hash(a.range) FROM range(1000000) a, range(1000000) b");
    SqlLimits limits = SqlLimits.standard().withTime(Duration.ofHours(1)).withRows(Long.MAX_VALUE);
    Path file = directory.resolve("large.parquet");
    assertThatThrownBy(() -> large.within(limits.withFile("3MB")).write(file))
        .isInstanceOf(SqlLimitException.class)
        .hasMessage(
            "the answer needs a file of more than 3MB; select fewer rows or columns, or ask for"
                + " parts of it one after the other");
    SqlQuery few = ledger.query().sql("FROM range(1000)");
    assertThatThrownBy(() -> few.within(limits.withFile("100B")).write(file))
        .as("also if it is written before anything looks at it")
        .isInstanceOf(SqlLimitException.class)
        .hasMessageContaining("more than 100B");
    assertThatThrownBy(() -> few.within(limits.withRows(999)).write(file))
        .isInstanceOf(SqlLimitException.class)
        .hasMessageContaining("more than 999 rows");
    assertThat(few.within(limits.withRows(1000)).write(directory.resolve("few.parquet")))
        .isEqualTo(1000);
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(directory.resolve("few.parquet"));
    }
  }

  private static String escaped(Path file) {
    return file.toString().replace("'", "''");
  }

  @Test
  void longAndDeepExpressionsAreAnswered() {
    Ledger ledger = shop();
    for (int n : List.of(81, 990)) {
      assertThat(lines(ledger, "SELECT 1" + "+1".repeat(n - 1))).containsExactly("" + n);
      String row = "SELECT id" + " || id".repeat(n - 1) + " FROM Cust WHERE id = 'c1'";
      assertThat(lines(ledger, row)).containsExactly("c1".repeat(n));
      String nested = "SELECT * FROM (".repeat(n) + "SELECT 7" + ")".repeat(n);
      assertThat(lines(ledger, nested)).containsExactly("7");
      String cases = "CASE WHEN true THEN ".repeat(n) + "8" + " END".repeat(n);
      assertThat(lines(ledger, "SELECT " + cases)).containsExactly("8");
      assertThat(lines(ledger, "SELECT " + "abs(".repeat(n) + "9" + ")".repeat(n)))
          .containsExactly("9");
      assertThat(ledger.query().sql("SELECT 1" + "+1".repeat(n - 1)).explain()).isNotEmpty();
    }
    String scalar = "(SELECT ".repeat(100) + "5" + ")".repeat(100);
    assertThat(lines(ledger, "SELECT " + scalar)).containsExactly("5");
  }

  @Test
  void expressionsThatAreTooDeepAreRefusedWithAnAdviceThatHelps() {
    Ledger ledger = shop();
    for (String sql :
        List.of(
            "SELECT 1" + "+1".repeat(1500),
            "SELECT " + "(SELECT ".repeat(600) + "5" + ")".repeat(600),
            "SELECT " + "(".repeat(100_000) + "5" + ")".repeat(100_000),
            "SELECT * FROM (".repeat(5000) + "SELECT 7" + ")".repeat(5000))) {
      assertThatThrownBy(() -> lines(ledger, sql))
          .as(sql.substring(0, 40))
          .isInstanceOf(InvalidSqlException.class)
          .hasMessage(
              "the statement nests expressions or queries more than 1,000 deep; write a long chain"
                  + " of operators as concat(..), list_sum([..]) or IN (..), and nested queries as"
                  + " WITH");
    }
  }

  @Test
  void adviceToChangeSettingsIsNotPassedOn() {
    Ledger ledger = shop();
    assertThatThrownBy(() -> lines(ledger, "SELECT 1 // 0"))
        .isInstanceOf(InvalidSqlException.class)
        .hasMessage(
            "Invalid Input Error: Division by zero in expression (1 // 0). Use TRY(...) to return"
                + " NULL for this expression.");
    assertThatThrownBy(() -> lines(ledger, "SELECT (SELECT * FROM range(2))"))
        .hasMessageEndingWith("scalar subqueries can only return a single row.");
    assertThatThrownBy(() -> lines(ledger, "SELECT 1 ORDER BY ' SET x=1'"))
        .hasMessageNotContaining("* SET")
        .hasMessageContaining("LINE 1: SELECT 1 ORDER BY ' SET x=1'");
  }
}
