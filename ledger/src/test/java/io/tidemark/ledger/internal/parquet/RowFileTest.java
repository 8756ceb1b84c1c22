// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.InvalidValueException;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written comes back, and what a finished file says of itself is so. */
class RowFileTest {

  private static final List<Row> ODD_ENTITIES =
      List.of(
          Sample.entityRow(1, "é😀'\"/\\", "{\"id\":\"\\u00e9\"}"),
          Sample.entityRow(Long.MAX_VALUE, "a\n\u2028", "{}"),
          Sample.entityRow(Long.MIN_VALUE, "", ""),
          new Row(0, new EntityKey("\u0000"), 0, "{\"name\":null}"),
          new Row(7, new EntityKey("k"), Long.MAX_VALUE, "[1,\"x\"]"),
          new Row(7, new EntityKey("k".repeat(3000)), -1, "not JSON at all"));

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(ints = {1, 17, 10_000})
  void entitiesComeBackAsTheyWere(int copies) {
    List<Row> rows = repeated(ODD_ENTITIES, copies);

    assertThat(Sample.read(TypeKind.ENTITY, Sample.bytes(Sample.EVERYTHING, rows))).isEqualTo(rows);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 26, 10_000})
  void relationsComeBackAsTheyWere(int copies) {
    List<Row> rows =
        repeated(
            List.of(
                Sample.relationRow(1, "c1", "p1", "", "{\"seats\":5}"),
                Sample.relationRow(2, "é😀'\"/\\", "a\n\u2028", "2026", "{\"seats\":null}"),
                Sample.relationRow(3, "", "", "", "{}"),
                Sample.relationRow(4, "zz", "p2", " ", "{\"seats\":-9223372036854775808}")),
            copies);

    assertThat(Sample.read(TypeKind.RELATION, Sample.bytes(Sample.SEATS, rows))).isEqualTo(rows);
  }

  @Test
  void aFileOnDiskIsTheSameAsInMemory() throws IOException {
    for (int count : new int[] {0, 1, 20, 21, 5_000}) {
      List<Row> rows = numbered(count);
      Path path = directory.resolve("rows.parquet");
      try (RowWriter writer = RowWriter.toFile(Sample.EVERYTHING, path)) {
        rows.forEach(writer::add);
        RowFile file = writer.finish();

        RowFile inMemory = Sample.write(Sample.EVERYTHING, rows);
        assertThat(file.contentSha256()).isEqualTo(inMemory.contentSha256());
        assertThat(Files.readAllBytes(path)).isEqualTo(Sample.bytes(inMemory));
        assertThat(Sample.bytes(file)).isEqualTo(Sample.bytes(inMemory));
      }
      try (RowReader reader = RowReader.open(TypeKind.ENTITY, path)) {
        assertThat(reader.rowCount()).isEqualTo(count);
        assertThat(Sample.all(reader)).isEqualTo(rows);
      }
    }
  }

  @Test
  void aFinishedFileKnowsItsRowsCommitsAndHash() throws NoSuchAlgorithmException {
    RowFile file =
        Sample.write(
            Sample.EVERYTHING,
            List.of(
                Sample.entityRow(9, "a", "{}"),
                Sample.entityRow(4, "b", "{}"),
                Sample.entityRow(6, "c", "{}")));

    byte[] bytes = Sample.bytes(file);
    assertThat(file.rowCount()).isEqualTo(3);
    assertThat(file.minCommitId()).isEqualTo(4);
    assertThat(file.maxCommitId()).isEqualTo(9);
    assertThat(file.body().length()).isEqualTo(bytes.length);
    assertThat(file.contentSha256())
        .isEqualTo(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
  }

  @Test
  void aFileMayHaveNoRows() {
    RowFile file = Sample.write(Sample.SEATS, List.of());

    assertThat(file.rowCount()).isZero();
    assertThat(file.minCommitId()).isZero();
    assertThat(file.maxCommitId()).isZero();
    assertThat(Sample.read(TypeKind.RELATION, Sample.bytes(file))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 20, 50, 130_000})
  void equalRowsInEqualOrderGiveEqualBytes(int count) {
    RowFile one = Sample.write(Sample.EVERYTHING, numbered(count));
    RowFile other = Sample.write(Sample.EVERYTHING, numbered(count));

    assertThat(one.contentSha256()).isEqualTo(other.contentSha256());
    assertThat(Sample.bytes(one)).isEqualTo(Sample.bytes(other));
  }

  @Test
  void identitiesCanBeReadWithoutTheirPayload() {
    List<Row> rows = numbered(5_000);
    byte[] bytes = Sample.bytes(Sample.EVERYTHING, rows);

    try (RowReader reader = RowReader.open(TypeKind.ENTITY, bytes, ColumnSelection.IDENTITY)) {
      assertThat(Sample.all(reader))
          .isEqualTo(
              rows.stream()
                  .map(row -> new Row(row.commitId(), row.identity(), row.schemaVersionId(), ""))
                  .toList());
    }
  }

  @Test
  void aFileThatIsGivenUpIsRemoved() {
    Path path = directory.resolve("rows.parquet");
    try (RowWriter writer = RowWriter.toFile(Sample.EVERYTHING, path)) {
      writer.add(Sample.entityRow(1, "a", "{}"));
      assertThat(path).exists();
    }

    assertThat(path).doesNotExist();
  }

  @Test
  void aRowOfTheOtherKindIsRefused() {
    try (RowWriter writer = RowWriter.toMemory(Sample.SEATS)) {
      assertThatThrownBy(() -> writer.add(Sample.entityRow(1, "a", "{}")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("relation:Subscription");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\ud800", "\udc00\ud800", "\ud83d\ud83d\ude00"})
  void aKeyWithHalfACharacterIsRefused(String key) {
    try (RowWriter writer = RowWriter.toMemory(Sample.EVERYTHING)) {
      assertThatThrownBy(() -> writer.add(Sample.entityRow(1, key, "{}")))
          .isInstanceOf(InvalidValueException.class)
          .hasMessageContaining("entity:Customer")
          .hasMessageContaining("\\ud8");
      assertThat(writer.finish().rowCount()).isZero();
    }
    try (RowWriter writer = RowWriter.toMemory(Sample.SEATS)) {
      assertThatThrownBy(() -> writer.add(Sample.relationRow(1, "a", "b", key, "{}")))
          .isInstanceOf(InvalidValueException.class);
    }
  }

  @Test
  void aFinishedWriterTakesNoMoreRows() {
    RowWriter writer = RowWriter.toMemory(Sample.EVERYTHING);
    writer.finish();
    writer.close();

    assertThatThrownBy(() -> writer.add(Sample.entityRow(1, "a", "{}")))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aTextOfTenMegabytesComesBack() {
    String payload = "{\"name\":\"" + "x".repeat(10 << 20) + "\"}";
    List<Row> rows =
        IntStream.range(0, 8).mapToObj(i -> Sample.entityRow(i, "k" + i, payload)).toList();

    assertThat(Sample.read(TypeKind.ENTITY, Sample.bytes(Sample.EVERYTHING, rows))).isEqualTo(rows);
  }

  static List<Row> numbered(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                Sample.entityRow(
                    1 + i / 1000,
                    "customer-" + i,
                    "{\"active\":"
                        + (i % 2 == 0)
                        + ",\"age\":"
                        + i % 90
                        + ",\"id\":\"customer-"
                        + i
                        + "\",\"name\":\"Name "
                        + i % 1000
                        + "\",\"price\":"
                        + i
                        + ".25,\"score\":"
                        + i
                        + ".5,\"since\":\"2026-02-10T12:34:56.789012+00:00\"}"))
        .toList();
  }

  private static List<Row> repeated(List<Row> rows, int copies) {
    List<Row> all = new ArrayList<>(rows.size() * copies);
    Stream.generate(() -> rows).limit(copies).forEach(all::addAll);
    return all;
  }
}
