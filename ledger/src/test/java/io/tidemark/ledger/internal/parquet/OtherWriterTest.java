// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What DuckDB writes is read here, as the files of the original are (spec 1.7). */
class OtherWriterTest {

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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CODEC SNAPPY",
        "CODEC SNAPPY, PARQUET_VERSION V2",
        "CODEC GZIP",
        "CODEC ZSTD",
        "CODEC ZSTD, PARQUET_VERSION V2",
        "CODEC LZ4",
        "CODEC LZ4_RAW",
        "CODEC BROTLI",
        "CODEC UNCOMPRESSED",
        "CODEC UNCOMPRESSED, PARQUET_VERSION V2"
      })
  void theSeedsColumnsAreReadInEveryEncoding(String options) throws SQLException, IOException {
    Path file =
        copy(
            "SELECT i // 1000 AS commit_id, 'Customer' AS entity_type, 'k' || i AS entity_key,"
                + " CASE WHEN i % 3 > 0 THEN i % 3 END AS schema_version_id,"
                + " '{\"n\":' || i || '}' AS fields_json, {'a': i, 'b': [i]} AS nested,"
                + " [i, i] AS list FROM range(200000) t(i)",
            options);

    try (RowReader reader = RowReader.open(TypeKind.ENTITY, file)) {
      assertThat(reader.rowCount()).isEqualTo(200_000);
      for (long i = 0; i < 200_000; i++) {
        assertThat(reader.next())
            .isEqualTo(new Row(i / 1000, new EntityKey("k" + i), i % 3, "{\"n\":" + i + "}"));
      }
      assertThat(reader.hasNext()).isFalse();
    }
  }

  @Test
  void relationsWithColumnsInAnyOrderAreRead() throws SQLException, IOException {
    Path file =
        copy(
            "SELECT '{}' AS fields_json, '' AS instance_key, 'é😀' AS right_key, 'l' AS left_key,"
                + " 4::INTEGER AS commit_id, 'R' AS relation_type, NULL::INTEGER AS"
                + " schema_version_id UNION ALL SELECT '{\"a\":1}', NULL, 'r', 'l', 5, 'R', 2",
            "CODEC SNAPPY");

    assertThat(Sample.read(TypeKind.RELATION, Files.readAllBytes(file)))
        .containsExactlyInAnyOrder(
            new Row(4, new RelationKey("l", "é😀", ""), 0, "{}"),
            new Row(5, new RelationKey("l", "r", ""), 2, "{\"a\":1}"));
  }

  @Test
  void aFileWithoutVersionsIsRead() throws SQLException, IOException {
    Path file =
        copy("SELECT 1 AS commit_id, 'k' AS entity_key, '{}' AS fields_json", "CODEC SNAPPY");

    assertThat(Sample.read(TypeKind.ENTITY, Files.readAllBytes(file)))
        .containsExactly(new Row(1, new EntityKey("k"), 0, "{}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1 AS commit_id, 'k' AS entity_key",
        "SELECT 'k' AS entity_key, '{}' AS fields_json",
        "SELECT 1 AS commit_id, ['k'] AS entity_key, '{}' AS fields_json",
        "SELECT 1 AS commit_id, 'k' AS ENTITY_KEY, '{}' AS fields_json",
        "SELECT 1 AS commit_id, 5 AS entity_key, '{}' AS fields_json",
        "SELECT '1' AS commit_id, 'k' AS entity_key, '{}' AS fields_json",
        "SELECT 1.5::DOUBLE AS commit_id, 'k' AS entity_key, '{}' AS fields_json",
        "SELECT 1 AS commit_id, NULL::VARCHAR AS entity_key, '{}' AS fields_json",
        "SELECT NULL::BIGINT AS commit_id, 'k' AS entity_key, '{}' AS fields_json"
      })
  void aFileWithoutWhatRowsAreMadeOfIsCorrupt(String select) throws SQLException, IOException {
    byte[] bytes = Files.readAllBytes(copy(select, "CODEC SNAPPY"));

    assertThatThrownBy(() -> Sample.read(TypeKind.ENTITY, bytes))
        .isInstanceOfSatisfying(
            CorruptFileException.class, e -> assertThat(e.code()).isEqualTo("corrupt"))
        .hasMessageStartingWith("not a file of rows: ")
        .hasMessageContaining("restore it from a copy");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ZSTD", "LZ4_RAW", "BROTLI"})
  void aDamagedPageIsCorrupt(String codec) throws SQLException, IOException {
    byte[] bytes =
        Files.readAllBytes(
            copy(
                "SELECT 1 AS commit_id, 'k' AS entity_key, repeat('{}', 9999) AS fields_json",
                "CODEC " + codec));
    Arrays.fill(bytes, 4, bytes.length / 4, (byte) 0x5a);

    assertThatThrownBy(() -> Sample.read(TypeKind.ENTITY, bytes))
        .isInstanceOf(CorruptFileException.class);
  }

  private Path copy(String select, String options) throws SQLException {
    Path file = directory.resolve("other.parquet");
    duckDb.run("COPY (" + select + ") TO '" + file + "' (FORMAT PARQUET, " + options + ")");
    return file;
  }
}
