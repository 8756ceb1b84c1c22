// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.testkit.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage is a typed error, or rows; never another exception. */
class CorruptFileTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"", "PAR1", "PAR1PAR1", "{\"json\":1}", "PAR1xxxxxxxxxxxxPAR1"})
  void whatIsntParquetIsCorrupt(String content) throws IOException {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    Path file = Files.write(directory.resolve("garbage"), bytes);

    assertThatThrownBy(() -> Sample.read(TypeKind.ENTITY, bytes))
        .isInstanceOf(CorruptFileException.class);
    assertThatThrownBy(() -> RowReader.open(TypeKind.ENTITY, file))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith("not a file of rows: ");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 300})
  void aFileCutShortAnywhereIsCorrupt(int rows) {
    byte[] bytes = Sample.bytes(Sample.EVERYTHING, RowFileTest.numbered(rows));

    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> Sample.read(TypeKind.ENTITY, cut))
          .as("cut to %s bytes", length)
          .isInstanceOf(CorruptFileException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 300})
  void changedBytesAreCorruptOrOtherRows(int rows) {
    Seed seed = Seed.of("CorruptFileTest.changedBytesAreCorruptOrOtherRows");
    RandomGenerator random = seed.random();
    byte[] bytes = Sample.bytes(Sample.EVERYTHING, RowFileTest.numbered(rows));
    int corrupt = 0;
    for (int i = 0; i < 3_000; i++) {
      byte[] changed = bytes.clone();
      changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
      try {
        List<Row> read = Sample.read(TypeKind.ENTITY, changed);
        assertThat(read).as("%s, change %s", seed, i).hasSizeLessThanOrEqualTo(rows);
      } catch (CorruptFileException e) {
        corrupt++;
      }
    }
    assertThat(corrupt).as("%s", seed).isPositive();
  }

  @Test
  void aFooterThatClaimsTwoThousandMillionColumnsIsCorrupt() {
    byte[] footer = {0x15, 0x02, 0x19, (byte) 0xfc, -1, -1, -1, -1, 0x07, 0};
    ByteBuffer file = ByteBuffer.allocate(12 + footer.length).order(ByteOrder.LITTLE_ENDIAN);
    file.put(FooterWriter.MAGIC).put(footer).putInt(footer.length).put(FooterWriter.MAGIC);

    assertThatThrownBy(() -> Sample.read(TypeKind.ENTITY, file.array()))
        .isInstanceOf(CorruptFileException.class);
  }

  @Test
  void aFileOfTheOtherKindIsCorrupt() {
    byte[] entities = Sample.bytes(Sample.EVERYTHING, RowFileTest.numbered(1));

    assertThatThrownBy(() -> Sample.read(TypeKind.RELATION, entities))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("it has no column left_key, as files of relations have");
  }
}
