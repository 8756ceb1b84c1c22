// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.parquet;

import io.tidemark.ledger.Row;
import io.tidemark.ledger.schema.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Prints how long files of various sizes take, the first of all included. Run by hand. */
final class ParquetTimings {

  private ParquetTimings() {}

  public static void main(String[] arguments) throws IOException {
    List<Row> one = RowFileTest.numbered(1);
    long start = System.nanoTime();
    byte[] bytes = Sample.bytes(Sample.EVERYTHING, one);
    long written = System.nanoTime();
    Sample.read(Kind.ENTITY, bytes);
    long read = System.nanoTime();
    System.out.printf(
        "first file: write %.0f ms, read %.0f ms%n",
        (written - start) / 1e6, (read - written) / 1e6);
    time(1, 3_000);
    time(50, 2_000);
    time(1_000, 300);
    time(10_000, 50);
    large(arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000);
  }

  private static void time(int rows, int repetitions) {
    List<Row> sample = RowFileTest.numbered(rows);
    byte[] bytes = Sample.bytes(Sample.EVERYTHING, sample);
    double[] writes = new double[repetitions];
    double[] reads = new double[repetitions];
    double[] identities = new double[repetitions];
    for (int i = 0; i < repetitions; i++) {
      long start = System.nanoTime();
      Sample.bytes(Sample.EVERYTHING, sample);
      long written = System.nanoTime();
      Sample.read(Kind.ENTITY, bytes);
      long read = System.nanoTime();
      try (RowReader reader = RowReader.open(Kind.ENTITY, bytes, Columns.IDENTITY)) {
        reader.forEachRemaining(row -> {});
      }
      writes[i] = (written - start) / 1e6;
      reads[i] = (read - written) / 1e6;
      identities[i] = (System.nanoTime() - read) / 1e6;
    }
    System.out.printf(
        "%,9d rows, %,d bytes: write %s, read %s, identities %s ms%n",
        rows, bytes.length, summary(writes), summary(reads), summary(identities));
  }

  private static String summary(double[] times) {
    double[] sorted = times.clone();
    Arrays.sort(sorted);
    return String.format(
        "%.2f/%.2f/%.2f",
        sorted[0], sorted[sorted.length / 2], sorted[(int) (sorted.length * 0.99)]);
  }

  private static void large(int rows) throws IOException {
    List<Row> sample = RowFileTest.numbered(rows);
    Path file = Files.createTempFile("rows", ".parquet");
    for (int i = 0; i < 4; i++) {
      long start = System.nanoTime();
      try (RowWriter writer = RowWriter.toFile(Sample.EVERYTHING, file)) {
        sample.forEach(writer::add);
        writer.finish();
      }
      long written = System.nanoTime();
      try (RowReader reader = RowReader.open(Kind.ENTITY, file)) {
        reader.forEachRemaining(row -> {});
      }
      long read = System.nanoTime();
      System.out.printf(
          "%,9d rows, %,d bytes: write %.0f ms, read %.0f ms%n",
          rows, Files.size(file), (written - start) / 1e6, (read - written) / 1e6);
    }
    Files.delete(file);
  }
}
