// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

import io.tidemark.ledger.internal.parquet.RowReader;
import io.tidemark.ledger.internal.parquet.RowWriter;
import io.tidemark.ledger.internal.scratch.ScratchFile;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * External sorter of any number of rows by commit and identity, which spills to the disk. It serves
 * files of other programs, which don't keep that order. The sort is stable.
 */
final class ExternalRowSorter implements AutoCloseable {

  static final Comparator<Row> ORDER =
      Comparator.comparingLong(Row::commitId).thenComparing(Row::identity);

  private static final long PART_BYTES = 32 << 20;
  private static final long ROW_BYTES = 150; // what a row takes beside its payload

  private final TypeSchema schema;
  private final long partBytes;
  private final List<ScratchFile> parts = new ArrayList<>();
  private List<Row> next = new ArrayList<>();
  private long nextBytes;

  ExternalRowSorter(TypeSchema schema) {
    this(schema, PART_BYTES);
  }

  ExternalRowSorter(TypeSchema schema, long partBytes) {
    this.schema = schema;
    this.partBytes = partBytes;
  }

  void add(Row row) {
    next.add(row);
    nextBytes += ROW_BYTES + row.fieldsJson().length();
    if (nextBytes >= partBytes) {
      setAside();
    }
  }

  private void setAside() {
    ScratchFile part = SnapshotWriter.scratch();
    parts.add(part);
    next.sort(ORDER);
    try (RowWriter writer = RowWriter.toScratch(schema, part)) {
      next.forEach(writer::add);
      writer.finish();
    }
    next = new ArrayList<>();
    nextBytes = 0;
  }

  /** Part that is being read, with its next row. */
  private record RunHead(Row row, int part, RowReader reader) {}

  /** Passes on all rows. */
  void forEach(Consumer<Row> consumer) {
    if (parts.isEmpty()) {
      next.sort(ORDER);
      next.forEach(consumer);
      return;
    }
    setAside();
    PriorityQueue<RunHead> fronts =
        new PriorityQueue<>(Comparator.comparing(RunHead::row, ORDER).thenComparing(RunHead::part));
    for (int i = 0; i < parts.size(); i++) {
      RowReader reader = RowReader.open(schema.id().kind(), parts.get(i).channel());
      advance(fronts, i, reader);
    }
    while (!fronts.isEmpty()) {
      RunHead runHead = fronts.remove();
      consumer.accept(runHead.row());
      advance(fronts, runHead.part(), runHead.reader());
    }
  }

  private static void advance(PriorityQueue<RunHead> fronts, int part, RowReader reader) {
    if (reader.hasNext()) {
      fronts.add(new RunHead(reader.next(), part, reader));
    }
  }

  @Override
  public void close() {
    parts.forEach(ScratchFile::close);
  }
}
