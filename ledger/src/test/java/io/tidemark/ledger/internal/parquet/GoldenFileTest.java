// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.schema.TypeSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The bytes of files that were written before. A change here, by a new version of a library as well
 * as by hand, gives equal rows another hash than they had: stored files stay readable, but it is no
 * change to make in passing.
 */
class GoldenFileTest {

  /** Few rows: plain and uncompressed. */
  static final List<Row> ENTITIES =
      List.of(
          Sample.entityRow(
              1,
              "c1",
              "{\"active\":true,\"age\":30,\"id\":\"c1\",\"name\":\"Alic\\u00e9\",\"price\":9.99,"
                  + "\"score\":9.5,\"since\":\"2026-02-10T12:34:56.789012+00:00\"}"),
          Sample.entityRow(
              2,
              "é😀'\"/\\",
              "{\"active\":null,\"age\":null,\"id\":\"x\",\"name\":null,\"price\":null,"
                  + "\"score\":null,\"since\":null}"));

  /** More rows: with dictionaries and compressed. */
  static final List<Row> RELATIONS =
      IntStream.range(0, 60)
          .mapToObj(
              i ->
                  Sample.relationRow(
                      7, "c" + i / 10, "p" + i % 10, "", "{\"seats\":" + i * 1_000_000_007L + "}"))
          .toList();

  @TempDir private Path directory;

  @Test
  void fewRowsGiveTheBytesTheyGaveBefore() throws IOException {
    assertGolden("entities.parquet", Sample.EVERYTHING, ENTITIES);
  }

  @Test
  void manyRowsGiveTheBytesTheyGaveBefore() throws IOException {
    assertGolden("relations.parquet", Sample.SEATS, RELATIONS);
  }

  private void assertGolden(String name, TypeSchema schema, List<Row> rows) throws IOException {
    byte[] written = Sample.bytes(schema, rows);
    byte[] golden = golden(name);

    assertThat(written).as("the bytes of %s", name).isEqualTo(golden);
    assertThat(Sample.read(schema.id().kind(), golden)).isEqualTo(rows);
  }

  @Test
  void anotherReaderSeesTheColumnsOfTheSeed() throws IOException, SQLException {
    Path entities = Files.write(directory.resolve("e.parquet"), golden("entities.parquet"));
    Path relations = Files.write(directory.resolve("r.parquet"), golden("relations.parquet"));

    try (DuckDb duckDb = new DuckDb()) {
      assertThat(duckDb.rows(describe(entities)))
          .containsExactly(
              "commit_id|BIGINT",
              "entity_type|VARCHAR",
              "entity_key|VARCHAR",
              "schema_version_id|BIGINT",
              "fields_json|VARCHAR",
              "active|BOOLEAN",
              "age|BIGINT",
              "id|VARCHAR",
              "name|VARCHAR",
              "price|DECIMAL(38,18)",
              "score|DOUBLE",
              "since|TIMESTAMP WITH TIME ZONE");
      assertThat(duckDb.rows(describe(relations)))
          .containsExactly(
              "commit_id|BIGINT",
              "relation_type|VARCHAR",
              "left_key|VARCHAR",
              "right_key|VARCHAR",
              "instance_key|VARCHAR",
              "schema_version_id|BIGINT",
              "fields_json|VARCHAR",
              "seats|BIGINT");
    }
  }

  @Test
  void aFileOfTheOriginalsShapeIsRead() throws IOException {
    assertThat(Sample.read(TypeKind.ENTITY, golden("duckdb-snappy.parquet")))
        .containsExactly(
            Sample.entityRow(1, "c1", "{\"active\":true,\"name\":\"Alic\\u00e9\"}"),
            new Row(2, Sample.entityRow(2, "é😀", "").identity(), 0, "{}"));
  }

  private static String describe(Path file) {
    return "SELECT column_name, column_type FROM (DESCRIBE FROM read_parquet('" + file + "'))";
  }

  private static byte[] golden(String name) throws IOException {
    try (InputStream in = requireNonNull(GoldenFileTest.class.getResourceAsStream(name), name)) {
      return in.readAllBytes();
    }
  }
}
