// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * parquet-java, the format's own library, reads the golden files of the ledger as DuckDB does,
 * every value of every column. It is here because here it comes with a peer; the ledger has only
 * the parts of it that encode.
 */
class ParquetJavaTest {

  private static final Path GOLDEN =
      Path.of("../ledger/src/test/resources/io/tidemark/ledger/internal/parquet");

  /** What is in them: the columns, and then each row. */
  private static final Map<String, List<String>> CONTENTS =
      Map.of(
          "entities.parquet",
          List.of(
              "commit_id|entity_type|entity_key|schema_version_id|fields_json|active|age|id|name"
                  + "|price|score|since",
              "1|Customer|c1|3|{\"active\":true,\"age\":30,\"id\":\"c1\",\"name\":\"Alic\\u00e9\","
                  + "\"price\":9.99,\"score\":9.5,\"since\":\"2026-02-10T12:34:56.789012+00:00\"}"
                  + "|true|30|c1|Alicé|9.990000000000000000|9.5|1770726896789012",
              "2|Customer|é😀'\"/\\|3|{\"active\":null,\"age\":null,\"id\":\"x\",\"name\":null,"
                  + "\"price\":null,\"score\":null,\"since\":null}"
                  + "|null|null|x|null|null|null|null"),
          "relations.parquet",
          Stream.concat(
                  Stream.of(
                      "commit_id|relation_type|left_key|right_key|instance_key|schema_version_id"
                          + "|fields_json|seats"),
                  IntStream.range(0, 60)
                      .mapToObj(i -> subscription(i / 10, i % 10, i * 1_000_000_007L)))
              .toList(),
          "duckdb-snappy.parquet",
          List.of(
              "commit_id|entity_type|entity_key|schema_version_id|fields_json|active|name",
              "1|Customer|c1|3|{\"active\":true,\"name\":\"Alic\\u00e9\"}|true|Alicé",
              "2|Customer|é😀|null|{}|null|null"));

  private static String subscription(int left, int right, long seats) {
    return "7|Subscription|c%d|p%d||2|{\"seats\":%d}|%d".formatted(left, right, seats, seats);
  }

  static Stream<String> goldenFiles() {
    return CONTENTS.keySet().stream().sorted();
  }

  @Test
  void everyGoldenFileIsLookedAt() throws IOException {
    try (Stream<Path> files = Files.list(GOLDEN)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(CONTENTS.keySet());
    }
  }

  @ParameterizedTest
  @MethodSource("goldenFiles")
  void bothReadEveryValueOfEveryColumn(String name) throws IOException, SQLException {
    assertThat(parquetJava(GOLDEN.resolve(name))).isEqualTo(CONTENTS.get(name));
    assertThat(duckDb(GOLDEN.resolve(name))).isEqualTo(CONTENTS.get(name));
  }

  private static List<String> parquetJava(Path path) throws IOException {
    List<String> lines = new ArrayList<>();
    try (ParquetFileReader file = ParquetFileReader.open(new LocalInputFile(path))) {
      MessageType schema = file.getFileMetaData().getSchema();
      lines.add(String.join("|", schema.getFields().stream().map(f -> f.getName()).toList()));
      MessageColumnIO columns = new ColumnIOFactory().getColumnIO(schema);
      for (PageReadStore pages = file.readNextRowGroup();
          pages != null;
          pages = file.readNextRowGroup()) {
        RecordReader<Group> rows = columns.getRecordReader(pages, new GroupRecordConverter(schema));
        for (long i = 0; i < pages.getRowCount(); i++) {
          lines.add(line(rows.read()));
        }
      }
    }
    return lines;
  }

  private static String line(Group row) {
    return String.join(
        "|",
        IntStream.range(0, row.getType().getFieldCount())
            .mapToObj(column -> value(row, column))
            .toList());
  }

  private static String value(Group row, int column) {
    if (row.getFieldRepetitionCount(column) == 0) {
      return "null";
    }
    PrimitiveType type = row.getType().getType(column).asPrimitiveType();
    return type.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation decimal
        ? new BigDecimal(new BigInteger(row.getBinary(column, 0).getBytes()), decimal.getScale())
            .toPlainString()
        : row.getValueToString(column, 0);
  }

  /** A time as its microseconds, which is how parquet-java gives it. */
  private static List<String> duckDb(Path path) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM read_parquet('" + path + "')")) {
      int columns = rows.getMetaData().getColumnCount();
      List<String> names = new ArrayList<>();
      for (int i = 1; i <= columns; i++) {
        names.add(rows.getMetaData().getColumnName(i));
      }
      lines.add(String.join("|", names));
      while (rows.next()) {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          values.add(text(rows, i));
        }
        lines.add(String.join("|", values));
      }
    }
    return lines;
  }

  private static String text(ResultSet rows, int column) throws SQLException {
    return rows.getObject(column) instanceof OffsetDateTime time
        ? String.valueOf(ChronoUnit.MICROS.between(Instant.EPOCH, time.toInstant()))
        : String.valueOf(rows.getString(column));
  }
}
