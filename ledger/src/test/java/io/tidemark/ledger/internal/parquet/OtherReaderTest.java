// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.schema.FieldType.ListOf;
import io.tidemark.ledger.schema.FieldType.MapOf;
import io.tidemark.ledger.schema.FieldType.Nullable;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DuckDB reads what is written here: the columns of the seed's section 4, and spec F19 and F20. */
class OtherReaderTest {

  private static final List<String> SYSTEM =
      List.of(
          "commit_id|BIGINT",
          "entity_type|VARCHAR",
          "entity_key|VARCHAR",
          "schema_version_id|BIGINT",
          "fields_json|VARCHAR");

  @TempDir private Path directory;
  private DuckDb duckDb;

  @BeforeEach
  void open() throws SQLException {
    duckDb = new DuckDb();
  }

  @AfterEach
  void close() throws SQLException {
    duckDb.close();
  }

  @Test
  void anEntitysColumnsAreTheSeeds() throws IOException, SQLException {
    Path file = Sample.file(directory, "a.parquet", Sample.EVERYTHING, RowFileTest.numbered(1));

    assertThat(columns(file))
        .startsWith(SYSTEM.toArray(String[]::new))
        .endsWith(
            "active|BOOLEAN",
            "age|BIGINT",
            "id|VARCHAR",
            "name|VARCHAR",
            "price|DECIMAL(38,18)",
            "score|DOUBLE",
            "since|TIMESTAMP WITH TIME ZONE")
        .hasSize(12);
  }

  @Test
  void aRelationsColumnsAreTheSeeds() throws IOException, SQLException {
    List<Row> rows = List.of(Sample.relationRow(5, "c1", "p1", "", "{\"seats\":5}"));
    Path file = Sample.file(directory, "a.parquet", Sample.SEATS, rows);

    assertThat(columns(file))
        .containsExactly(
            "commit_id|BIGINT",
            "relation_type|VARCHAR",
            "left_key|VARCHAR",
            "right_key|VARCHAR",
            "instance_key|VARCHAR",
            "schema_version_id|BIGINT",
            "fields_json|VARCHAR",
            "seats|BIGINT");
    assertThat(duckDb.rows("SELECT * FROM " + scan(file)))
        .containsExactly("5|Subscription|c1|p1||2|{\"seats\":5}|5");
  }

  @Test
  void everyTypeHasItsValueInItsColumn() throws IOException, SQLException {
    List<Row> rows =
        List.of(
            Sample.entityRow(
                1,
                "é😀'\"/\\",
                "{\"active\":true,\"age\":9223372036854775807,\"id\":\"x\",\"name\":\"Alic\\u00e9"
                    + " \\ud83d\\ude00\",\"price\":12345678901234567890.123456789012345678,"
                    + "\"score\":-0.0,\"since\":\"2026-02-10T12:34:56.789012+00:00\"}"),
            Sample.entityRow(
                2,
                "b",
                "{\"active\":false,\"age\":-9223372036854775808,\"id\":\"\",\"name\":\"\","
                    + "\"price\":-0.000000000000000001,\"score\":1.7976931348623157e+308,"
                    + "\"since\":\"0001-01-01T00:00:00+00:00\"}"),
            Sample.entityRow(
                3,
                "c",
                "{\"active\":null,\"age\":null,\"id\":\"c\",\"name\":null,\"price\":null,"
                    + "\"score\":null,\"since\":null}"));
    String typed =
        "SELECT active, age, id, name, price::VARCHAR, score, since::VARCHAR FROM %s ORDER BY"
            + " commit_id";
    Path small = Sample.file(directory, "small.parquet", Sample.EVERYTHING, rows);

    assertThat(duckDb.rows(typed.formatted(scan(small))))
        .containsExactly(
            "true|9223372036854775807|x|Alicé 😀|12345678901234567890.123456789012345678|-0.0"
                + "|2026-02-10 12:34:56.789012+00",
            "false|-9223372036854775808|||-0.000000000000000001|1.7976931348623157E308"
                + "|0001-01-01 00:00:00+00",
            "null|null|c|null|null|null|null");
    assertThat(duckDb.rows("SELECT entity_key, fields_json FROM " + scan(small)))
        .containsExactlyElementsOf(
            rows.stream().map(row -> row.identity() + "|" + row.fieldsJson()).toList());
  }

  @Test
  void aLargeFilesColumnsAgreeWithItsPayloads() throws IOException, SQLException {
    Path file =
        Sample.file(directory, "large.parquet", Sample.EVERYTHING, RowFileTest.numbered(130_000));

    assertThat(
            duckDb.rows(
                "SELECT count(*), count(*) FILTER (json_extract_string(fields_json, '$.id') = id"
                    + " AND CAST(json_extract(fields_json, '$.age') AS BIGINT) = age"
                    + " AND CAST(json_extract(fields_json, '$.score') AS DOUBLE) = score"
                    + " AND CAST(json_extract(fields_json, '$.active') AS BOOLEAN) = active"
                    + " AND CAST(json_extract_string(fields_json, '$.price') AS DECIMAL(38,18))"
                    + " = price AND id = entity_key), count(DISTINCT entity_key), max(commit_id)"
                    + " FROM "
                    + scan(file)))
        .containsExactly("130000|130000|130000|130");
  }

  @Test
  void limitsOfEachGroupLetAReaderSkipIt() throws IOException, SQLException {
    Path file =
        Sample.file(directory, "large.parquet", Sample.EVERYTHING, RowFileTest.numbered(130_000));

    assertThat(
            duckDb.rows(
                "SELECT row_group_id, row_group_num_rows, stats_min_value, stats_max_value,"
                    + " compression FROM parquet_metadata('"
                    + file
                    + "') WHERE path_in_schema = 'commit_id' ORDER BY 1"))
        .containsExactly("0|120000|1|120|SNAPPY", "1|10000|121|130|SNAPPY");
    assertThat(
            duckDb.rows(
                "SELECT path_in_schema, stats_min_value FROM parquet_metadata('"
                    + file
                    + "') WHERE row_group_id = 0 AND path_in_schema IN ('fields_json',"
                    + " 'entity_key', 'score') ORDER BY 1"))
        .containsExactly("entity_key|customer-0", "fields_json|null", "score|0.5");
  }

  @Test
  void noVersionIsNullInTheFile() throws IOException, SQLException {
    Row row = Sample.entityRow(1, "a", "{}");
    Row without = new Row(2, row.identity(), 0, "{}");
    Path file = Sample.file(directory, "a.parquet", Sample.EVERYTHING, List.of(row, without));

    assertThat(duckDb.rows("SELECT commit_id, schema_version_id FROM " + scan(file)))
        .containsExactly("1|3", "2|null");
  }

  @Test
  void filesOfTwoVersionsOfATypeAreReadTogether() throws IOException, SQLException {
    Sample.file(
        directory,
        "1.parquet",
        Sample.entity(Map.of("tier", Scalar.STRING, "gone", Scalar.LONG)),
        List.of(Sample.entityRow(1, "a", "{\"gone\":4,\"id\":\"a\",\"tier\":\"Gold\"}")));
    Sample.file(
        directory,
        "2.parquet",
        Sample.entity(Map.of("tier", Scalar.LONG, "email", new Nullable(Scalar.STRING))),
        List.of(Sample.entityRow(2, "a", "{\"email\":\"a@x\",\"id\":\"a\",\"tier\":3}")));

    assertThat(
            duckDb.rows(
                "SELECT commit_id, entity_key, tier, gone, email FROM read_parquet('"
                    + directory
                    + "/*.parquet', union_by_name = true) ORDER BY commit_id"))
        .containsExactly("1|a|Gold|4|null", "2|a|3|null|a@x");
  }

  @Test
  void reservedNamesDontShadowTheSystemsColumnsF19() throws IOException, SQLException {
    Row row =
        Sample.entityRow(
            7,
            "a",
            "{\"ENTITY_KEY\":\"x\",\"Tags\":\"t\",\"commit_id\":77,\"fields_json\":\"y\","
                + "\"file_row_number\":5,\"filename\":\"z\",\"id\":\"a\",\"left_key\":\"l\","
                + "\"tags\":\"u\"}");
    Path file =
        Sample.file(
            directory,
            "a.parquet",
            Sample.entity(
                Map.of(
                    "commit_id", Scalar.LONG,
                    "fields_json", Scalar.STRING,
                    "ENTITY_KEY", Scalar.STRING,
                    "left_key", Scalar.STRING,
                    "filename", Scalar.STRING,
                    "file_row_number", Scalar.LONG,
                    "tags", Scalar.STRING,
                    "Tags", Scalar.STRING)),
            List.of(row));

    assertThat(columns(file)).startsWith(SYSTEM.toArray(String[]::new)).endsWith("id|VARCHAR");
    assertThat(columns(file)).hasSize(6);
    assertThat(duckDb.rows("SELECT commit_id, entity_key, fields_json FROM " + scan(file)))
        .containsExactly("7|a|" + row.fieldsJson());
  }

  @Test
  void valuesThatNoColumnCanHoldDontFailF20() throws IOException, SQLException {
    Path file =
        Sample.file(
            directory,
            "a.parquet",
            Sample.entity(
                Map.of(
                    "age", Scalar.LONG,
                    "name", Scalar.STRING,
                    "price", Scalar.DECIMAL,
                    "score", Scalar.DOUBLE,
                    "since", Scalar.INSTANT,
                    "active", Scalar.BOOLEAN,
                    "list", new ListOf(Scalar.LONG),
                    "map", new MapOf(Scalar.LONG))),
            List.of(
                Sample.entityRow(1, "a", "{}"),
                Sample.entityRow(2, "b", "{\"age\":{},\"list\":[1,\"x\"],\"map\":{\"a\":{}}}"),
                Sample.entityRow(3, "c", "{\"age\":9223372036854775808,\"name\":5}"),
                Sample.entityRow(
                    4,
                    "d",
                    "{\"active\":1,\"age\":true,\"price\":1e999999999,\"score\":\"1\","
                        + "\"since\":\"2026-02-30T00:00:00+00:00\"}"),
                Sample.entityRow(5, "e", "[1,\"x\"]"),
                Sample.entityRow(5, "e", "{\"name\":\"half \\ud800\"}"),
                Sample.entityRow(6, "f", "{\"age\":6,\"name\":NaN,\"price\":1e-19,\"score\":1e999"),
                Sample.entityRow(7, "g", "{\"age\":7.0,\"price\":1e3,\"score\":7}")));

    assertThat(
            duckDb.rows(
                "SELECT commit_id, age, name, price, score, since, active FROM " + scan(file)))
        .containsExactly(
            "1|null|null|null|null|null|null",
            "2|null|null|null|null|null|null",
            "3|null|null|null|null|null|null",
            "4|null|null|null|null|null|null",
            "5|null|null|null|null|null|null",
            "5|null|null|null|null|null|null",
            "6|6|null|null|null|null|null",
            "7|7|null|1000.000000000000000000|7.0|null|null");
  }

  private List<String> columns(Path file) throws SQLException {
    return duckDb.rows("SELECT column_name, column_type FROM (DESCRIBE FROM " + scan(file) + ")");
  }

  private static String scan(Path file) {
    return "read_parquet('" + file + "')";
  }
}
