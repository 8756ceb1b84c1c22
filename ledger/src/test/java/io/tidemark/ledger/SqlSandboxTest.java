// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.ledger.internal.sql.InvalidSqlException;
import io.tidemark.ledger.internal.sql.RefusedSqlException;
import io.tidemark.ledger.internal.sql.SqlLimitException;
import io.tidemark.ledger.internal.sql.SqlLimits;
import io.tidemark.ledger.internal.sql.SqlResult;
import io.tidemark.ledger.query.QuerySettings.Isolation;
import io.tidemark.ledger.query.SqlQuery;
import io.tidemark.objects.MemoryBackend;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Statements that try to get out. Around them are a file with a secret, a link to it, files that
 * DuckDB would read by their names, and a web server; none is touched and nothing is written.
 */
@TestInstance(Lifecycle.PER_CLASS)
class SqlSandboxTest {

  private static final String SECRET = "the secret";

  @TempDir private static Path around;
  @TempDir private static Path cache;
  private final LedgerFixture fixture = new LedgerFixture(new MemoryBackend());
  private final AtomicInteger visits = new AtomicInteger();
  private Ledger ledger;
  private HttpServer server;

  /** In them {@code @} is the directory, and {@code %} the web server. */
  static final List<String> ESCAPES =
      List.of(
          // files
          "SELECT * FROM read_csv('@/secret.csv')",
          "SELECT * FROM read_csv_auto('@/secret.csv')",
          "SELECT * FROM main.read_csv('@/secret.csv')",
          "SELECT * FROM \"read_csv\"('@/secret.csv')",
          "SELECT * FROM system.main.read_csv('@/secret.csv')",
          "SELECT * FROM '@/secret.csv'",
          "FROM '@/secret.csv'",
          "SELECT * FROM \"@/secret.csv\"",
          "SELECT * FROM \"file://@/secret.csv\"",
          "SELECT * FROM '@/*.csv'",
          "SELECT * FROM '@/link.csv'",
          "SELECT * FROM read_text('@/secret.csv')",
          "SELECT * FROM read_blob('@/secret.csv')",
          "SELECT * FROM read_json('@/secret.json')",
          "SELECT * FROM read_ndjson_objects('@/secret.json')",
          "SELECT * FROM read_parquet('@/secret.parquet')",
          "SELECT * FROM parquet_scan('@/secret.parquet')",
          "SELECT * FROM parquet_metadata('@/secret.parquet')",
          "SELECT * FROM parquet_schema('@/secret.parquet')",
          "SELECT * FROM sniff_csv('@/secret.csv')",
          "SELECT * FROM glob('@/*')",
          "SELECT * FROM glob('/etc/*')",
          "SELECT * FROM read_duckdb('@/x.db')",
          "SELECT (SELECT content FROM read_text('@/secret.csv'))",
          "SELECT 1 WHERE EXISTS (FROM read_text('@/secret.csv'))",
          "WITH t AS (SELECT * FROM read_text('@/secret.csv')) FROM t",
          "WITH \"@/secret.csv\" AS (SELECT 1) SELECT * FROM \"@/secret.csv\"",
          "SELECT * FROM (WITH \"@/secret.csv\" AS (SELECT 1) SELECT 1), \"@/secret.csv\"",
          "SELECT * FROM Cust UNION ALL BY NAME SELECT * FROM read_csv('@/secret.csv')",
          "SELECT * FROM Cust, LATERAL (SELECT * FROM read_text('@/secret.csv'))",
          "DESCRIBE SELECT * FROM read_csv('@/secret.csv')",
          "SUMMARIZE FROM '@/secret.csv'",
          "SELECT list_transform([1], x -> (SELECT content FROM read_text('@/secret.csv')))",
          "VALUES ((SELECT content FROM read_text('@/secret.csv')))",
          "SELECT 1 ORDER BY (SELECT content FROM read_text('@/secret.csv'))",
          "SELECT 1 LIMIT (SELECT 1 FROM read_text('@/secret.csv'))",
          // text that is run
          "SELECT * FROM query('SELECT * FROM read_text(''@/secret.csv'')')",
          "SELECT * FROM query_table('@/secret.csv')",
          "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
          "PRAGMA json_execute_serialized_sql('{}')",
          // writing
          "COPY (SELECT 1) TO '@/out.csv'",
          "COPY Cust TO '@/out.parquet' (FORMAT parquet)",
          "EXPORT DATABASE '@/out'",
          "CREATE TABLE t AS SELECT 1",
          "CREATE VIEW Cust2 AS SELECT 1",
          "CREATE MACRO f(x) AS x",
          "CREATE OR REPLACE VIEW Cust AS SELECT 1",
          "CREATE SECRET (TYPE s3, KEY_ID 'a', SECRET 'b')",
          "DROP VIEW Cust",
          "INSERT INTO commits VALUES (1)",
          "UPDATE commits SET commit_id = 1",
          "DELETE FROM commits",
          "ATTACH '@/x.db'",
          "ATTACH ':memory:' AS m",
          "USE memory",
          "CHECKPOINT",
          "VACUUM",
          "IMPORT DATABASE '@/out'",
          // settings, extensions, the system
          "SET memory_limit = '100GB'",
          "SET enable_external_access = true",
          "RESET lock_configuration",
          "SET VARIABLE x = 1",
          "PRAGMA threads = 8",
          "PRAGMA database_list",
          "INSTALL httpfs",
          "LOAD httpfs",
          "LOAD '@/evil.duckdb_extension'",
          "CALL pragma_version()",
          "SHOW DATABASES",
          "SHOW VARIABLES",
          "SELECT getenv('HOME')",
          "SELECT getvariable('x')",
          "SELECT current_setting('temp_directory')",
          "SELECT * FROM duckdb_settings()",
          "SELECT * FROM duckdb_secrets()",
          "SELECT * FROM duckdb_extensions()",
          "SELECT * FROM duckdb_databases()",
          "SELECT * FROM pragma_database_size()",
          "SELECT * FROM information_schema.tables",
          "SELECT * FROM pg_catalog.pg_class",
          "SELECT * FROM sqlite_master",
          "SELECT v.sql FROM (WITH duckdb_views AS (SELECT 1) SELECT 1) x, Cust, duckdb_views v",
          "SELECT * FROM memory.main.Cust",
          "SELECT write_log('x')",
          "SELECT * FROM duckdb_logs()",
          "SELECT nextval('s')",
          "SELECT sleep_ms(100000)",
          "SELECT pg_sleep(100)",
          "EXECUTE s",
          "PREPARE s AS SELECT 1",
          "EXPLAIN ANALYZE SELECT 1",
          "BEGIN",
          // network
          "SELECT * FROM read_csv('%/x.csv')",
          "SELECT * FROM '%/x.parquet'",
          "SELECT * FROM read_text('s3://bucket/key')",
          "SELECT * FROM read_json('https://localhost/x.json')",
          // more than one, and comments
          "SELECT 1; SELECT 2",
          "SELECT 1; COPY (SELECT 1) TO '@/out.csv'",
          "/* */ COPY /* SELECT */ (SELECT 1) TO '@/out.csv' -- SELECT",
          "SELECT 1) TO '@/out.csv' --",
          "SELECT 1 /*",
          "-- SELECT",
          ";;",
          // more than there is room for
          "SELECT repeat('x', 4000000000)",
          "SELECT repeat(name, age * 1000000000) FROM Cust",
          "SELECT lpad('x', 2000000000, 'y')",
          "SELECT range(100000000000)",
          "SELECT list_resize([1], 2000000000)");

  @BeforeAll
  void surroundings() throws IOException {
    fixture.initialiser().init();
    ledger =
        fixture.open(
            LedgerFixture.options()
                .withQueries(LedgerFixture.QUERIES.withCache(cache).withIsolation(isolation())));
    Shop.commit(ledger);
    for (String name : List.of("secret.csv", "secret.json", "secret.parquet")) {
      Files.writeString(around.resolve(name), "{\"a\":\"" + SECRET + "\"}\n");
    }
    Files.createSymbolicLink(around.resolve("link.csv"), around.resolve("secret.csv"));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          visits.incrementAndGet();
          exchange.sendResponseHeaders(200, 1);
          exchange.getResponseBody().write("a".getBytes(UTF_8));
          exchange.close();
        });
    server.start();
  }

  @AfterAll
  void close() {
    server.stop(0);
    fixture.close();
  }

  /** Where statements run. */
  Isolation isolation() {
    return Isolation.THIS_PROCESS;
  }

  private static long read(SqlQuery query) {
    try (SqlResult answer = query.execute()) {
      long rows = 0;
      while (answer.next().isPresent()) {
        rows++;
      }
      return rows;
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(around)) {
      return files.map(file -> around.relativize(file).toString()).sorted().toList();
    }
  }

  @ParameterizedTest(name = "{0}")
  @FieldSource("ESCAPES")
  void noStatementGetsOut(String escape) throws IOException {
    String sql =
        escape
            .replace("@", around.toString())
            .replace("%", "http://localhost:" + server.getAddress().getPort());
    List<String> before = files();

    Throwable refusal = catchThrowable(() -> read(ledger.query().sql(sql)));

    assertThat(refusal).isInstanceOfAny(RefusedSqlException.class, InvalidSqlException.class);
    assertThat(refusal).hasMessageNotContaining(SECRET);
    assertThat(files()).isEqualTo(before);
    assertThat(visits).hasValue(0);
  }

  @Test
  void noStatementGetsOutOfAFileThatIsWritten() throws IOException {
    List<String> before = files();
    for (String sql : List.of("SELECT 1) TO 'x' --", "SELECT 1; SELECT 2", "COPY Cust TO 'x'")) {
      assertThatThrownBy(() -> ledger.query().sql(sql).write(around.resolve("answer.parquet")))
          .as(sql)
          .isInstanceOfAny(RefusedSqlException.class, InvalidSqlException.class);
    }
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void statementsWithoutAnEndAreEnded() {
    SqlLimits brief = SqlLimits.standard().withTime(Duration.ofMillis(300));
    List<String> endless =
        List.of(
            "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM"
                + " t",
            "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range > b.range",
            "SELECT a.range FROM range(1000000000) a, range(1000000000) b",
            "SELECT range FROM range(1000000000000000) WHERE range < 500000");
    for (String sql : endless) {
      assertThatThrownBy(() -> read(ledger.query().sql(sql).within(brief.withRows(Long.MAX_VALUE))))
          .as(sql)
          .isInstanceOf(SqlLimitException.class)
          .hasMessage("the statement was ended after 0.3 s; ask for less, or give it more time");
    }
    assertThat(read(ledger.query().sql("FROM Cust"))).as("the ledger is as it was").isEqualTo(4);
  }

  @Test
  void whatIsTooMuchIsRefusedWhenItIsFoundToBe() throws IOException {
    SqlLimits small = new SqlLimits(Duration.ofSeconds(30), "50MB", "20MB", 1000, "1GB");
    assertThatThrownBy(() -> read(ledger.query().sql("FROM range(1001)").within(small)))
        .isInstanceOf(SqlLimitException.class)
        .hasMessageContaining("more than 1000 rows; add a LIMIT");
    assertThat(read(ledger.query().sql("FROM range(1000)").within(small))).isEqualTo(1000);
    assertThatThrownBy(() -> read(ledger.query().sql("FROM range(1000000000000)").within(small)))
        .as("rows that nobody reads are never made")
        .hasMessageContaining("more than 1000 rows");
    assertThatThrownBy(
            () ->
                read(
                    ledger
                        .query()
                        .sql("SELECT count(DISTINCT hash(range)::VARCHAR) FROM range(100000000)")
                        .within(small)))
        .isInstanceOf(SqlLimitException.class)
        .hasMessageContaining("50MB of memory and 20MB of disk");
    try (Stream<Path> spilled = Files.list(cache.resolve("spill"))) {
      assertThat(spilled.map(Path::toString))
          .as("nothing is left on the disk but the lock of this process")
          .hasSize(1)
          .allMatch(name -> name.endsWith(".lock"));
    }
  }
}
