// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.testkit.process.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files larger than memory are written and read: the child has 256 MB of it. */
class BoundedMemoryTest {

  private static final int ROWS = 200_000;

  @TempDir private Path directory;

  @Test
  void moreRowsThanFitInMemoryAreWrittenAndRead() throws Exception {
    Path file = directory.resolve("rows.parquet");
    try (ChildJvm child = ChildJvm.start(BoundedMemoryTest.class, file.toString())) {
      assertThat(child.linesToEnd()).containsExactly("wrote " + ROWS, "read " + ROWS);
    }
    assertThat(Files.size(file)).isGreaterThan(256L << 20);
  }

  public static void main(String[] arguments) {
    Path file = Path.of(arguments[0]);
    SplittableRandom random = new SplittableRandom(1);
    byte[] noise = new byte[360];
    try (RowWriter writer = RowWriter.toFile(Sample.EVERYTHING, file)) {
      for (int i = 0; i < ROWS; i++) {
        random.nextBytes(noise);
        String name = HexFormat.of().formatHex(noise);
        writer.add(
            Sample.entityRow(1, "k" + i, "{\"id\":\"k" + i + "\",\"name\":\"" + name + "\"}"));
      }
      System.out.println("wrote " + writer.finish().rowCount());
    }
    long read = 0;
    try (RowReader reader = RowReader.open(TypeKind.ENTITY, file)) {
      while (reader.hasNext()) {
        Row row = reader.next();
        read += row.identity().toString().equals("k" + read) ? 1 : 0;
      }
    }
    System.out.println("read " + read);
  }
}
