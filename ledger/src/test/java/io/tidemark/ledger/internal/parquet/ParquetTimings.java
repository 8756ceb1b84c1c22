// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeKind;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Prints how long files of various sizes take, the first of all included. Run by hand; the times on
 * the processor say more than those on the wall when others use the machine too.
 */
final class ParquetTimings {

  private ParquetTimings() {}

  /** What is timed. */
  private interface Work {
    void run() throws IOException;
  }

  /** One run in milliseconds. */
  private record Time(double wall, double processor) {
    static Time of(Work work) throws IOException {
      long cpu = processorNanos();
      long start = System.nanoTime();
      work.run();
      return new Time((System.nanoTime() - start) / 1e6, (processorNanos() - cpu) / 1e6);
    }

    private static long processorNanos() {
      return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
  }

  public static void main(String[] arguments) throws IOException {
    List<Row> one = RowFileTest.numbered(1);
    Time.of(() -> {});
    print("first file, write", List.of(Time.of(() -> Sample.bytes(Sample.EVERYTHING, one))));
    byte[] bytes = Sample.bytes(Sample.EVERYTHING, one);
    print("first file, read", List.of(Time.of(() -> Sample.read(TypeKind.ENTITY, bytes))));
    time(1, 3_000);
    time(50, 2_000);
    time(1_000, 500);
    time(10_000, 100);
    onDisk(arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000, 5);
  }

  private static void time(int rows, int repetitions) throws IOException {
    List<Row> sample = RowFileTest.numbered(rows);
    byte[] bytes = Sample.bytes(Sample.EVERYTHING, sample);
    String size = String.format("%,d rows, %,d bytes, ", rows, bytes.length);
    print(size + "write", times(repetitions, () -> Sample.bytes(Sample.EVERYTHING, sample)));
    print(size + "read", times(repetitions, () -> Sample.read(TypeKind.ENTITY, bytes)));
    print(size + "read identities", times(repetitions, () -> identities(bytes)));
  }

  private static void identities(byte[] bytes) {
    try (RowReader reader = RowReader.open(TypeKind.ENTITY, bytes, ColumnSelection.IDENTITY)) {
      reader.forEachRemaining(row -> {});
    }
  }

  private static void onDisk(int rows, int repetitions) throws IOException {
    List<Row> sample = RowFileTest.numbered(rows);
    Path file = Files.createTempFile("rows", ".parquet");
    List<Time> writes = times(repetitions, () -> write(sample, file));
    String size = String.format("%,d rows, %,d bytes, ", rows, Files.size(file));
    print(size + "write", writes);
    print(size + "read", times(repetitions, () -> read(file)));
    Files.delete(file);
  }

  private static void write(List<Row> rows, Path file) {
    try (RowWriter writer = RowWriter.toFile(Sample.EVERYTHING, file)) {
      rows.forEach(writer::add);
      writer.finish();
    }
  }

  private static void read(Path file) {
    try (RowReader reader = RowReader.open(TypeKind.ENTITY, file)) {
      reader.forEachRemaining(row -> {});
    }
  }

  private static List<Time> times(int repetitions, Work work) throws IOException {
    List<Time> times = new ArrayList<>();
    for (int i = 0; i < repetitions; i++) {
      times.add(Time.of(work));
    }
    return times;
  }

  private static void print(String what, List<Time> times) {
    System.out.printf(
        "%s: wall %s, processor %s ms (least, median, most of %d)%n",
        what,
        summary(times.stream().map(Time::wall).toList()),
        summary(times.stream().map(Time::processor).toList()),
        times.size());
  }

  private static String summary(List<Double> times) {
    List<Double> sorted = new ArrayList<>(times);
    Collections.sort(sorted);
    return String.format(
        "%.2f/%.2f/%.2f",
        sorted.get(0), sorted.get(sorted.size() / 2), sorted.get(sorted.size() - 1));
  }
}
