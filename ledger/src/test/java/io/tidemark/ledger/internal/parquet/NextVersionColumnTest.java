// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.internal.scratch.ScratchFile;
import io.tidemark.ledger.schema.Row;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that say of each version when the next one came. */
class NextVersionColumnTest {

  @TempDir private Path directory;

  private Path file(List<Row> rows) throws IOException {
    Path file = directory.resolve("versions.parquet");
    try (ScratchFile scratch = new ScratchFile();
        RowWriter writer = RowWriter.ofVersions(Sample.EVERYTHING, scratch, row -> 1_000 + row)) {
      rows.forEach(writer::add);
      try (InputStream bytes = writer.finish().body().open()) {
        Files.copy(bytes, file);
      }
    }
    return file;
  }

  @Test
  void theColumnIsBehindTheOthersAndEveryReaderFindsIt() throws IOException, SQLException {
    List<Row> rows = RowFileTest.numbered(40_000);
    Path file = file(rows);

    try (DuckDb duckDb = new DuckDb()) {
      String scan = "read_parquet('" + file + "')";
      assertThat(duckDb.rows("SELECT count(*), min(\"until#\"), max(\"until#\") FROM " + scan))
          .containsExactly("40000|1000|40999");
      assertThat(
              duckDb.rows(
                  "SELECT count(*) FROM (SELECT file_row_number AS n, \"until#\" AS u FROM"
                      + " read_parquet('%s', file_row_number = true)) WHERE u = n + 1000"
                          .formatted(file)))
          .containsExactly("40000");
      assertThat(
              duckDb.rows(
                  "SELECT row_group_num_rows, stats_max_value FROM parquet_metadata('%s')"
                          .formatted(file)
                      + " WHERE path_in_schema = 'until#'"))
          .as("groups are small, and have limits")
          .containsExactly("16384|17383", "16384|33767", "7232|40999");
    }
    List<Row> read = new ArrayList<>();
    try (RowReader reader = RowReader.open(Sample.EVERYTHING.id().kind(), file)) {
      reader.forEachRemaining(read::add);
    }
    assertThat(read).isEqualTo(rows);
    assertThat(FileColumns.of(Sample.EVERYTHING, file)).isEqualTo(FileColumns.OF_VERSIONS);
    assertThat(FileColumns.of(Sample.SEATS, file)).isEqualTo(FileColumns.OTHERS);
  }

  @Test
  void aSmallFileHasItToo() throws IOException, SQLException {
    Path file = file(RowFileTest.numbered(3));

    try (DuckDb duckDb = new DuckDb()) {
      assertThat(duckDb.rows("SELECT \"until#\" FROM read_parquet('" + file + "')"))
          .containsExactly("1000", "1001", "1002");
    }
  }
}
