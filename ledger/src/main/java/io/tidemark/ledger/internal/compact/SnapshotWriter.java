// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

import io.tidemark.ledger.internal.parquet.RowFile;
import io.tidemark.ledger.internal.parquet.RowWriter;
import io.tidemark.ledger.internal.scratch.ScratchFile;
import io.tidemark.ledger.internal.state.NextVersionTable;
import io.tidemark.ledger.internal.store.DataFileReader;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.TypeFileResolver.ResolvedFiles;
import io.tidemark.ledger.internal.store.TypeFileResolver.Source;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writer that merges files into one: every version of every row, by commit and in it by identity.
 *
 * <p>Commits are in that order, so merging reads one file after the other and takes no more memory
 * than writing does. Readers of a range of commits skip row groups by their limits, and readers of
 * all versions needn't sort. By identity first, look-ups by key would read less; but then all rows
 * would have to be sorted each time, and every as-of would read the whole file.
 */
final class SnapshotWriter {

  private static final long TELL_EVERY = 512;

  /** Divisor of the memory for the share that the table of next versions may take. */
  private static final long MEMORY_SHARE = 5;

  private final LedgerObjects objects;
  private final DataFileReader rows;
  private final FileMerge fileMerge;
  private final CompactionListener compactionListener;

  SnapshotWriter(
      LedgerObjects objects, FileMerge fileMerge, CompactionListener compactionListener) {
    this.objects = objects;
    this.rows = new DataFileReader(objects);
    this.fileMerge = fileMerge;
    this.compactionListener = compactionListener;
  }

  /** Merged file, on the disk until it is closed. */
  record Snapshot(RowFile file, ScratchFile scratch) implements AutoCloseable {
    @Override
    public void close() {
      scratch.close();
    }
  }

  /**
   * Merges files.
   *
   * @param from the files of the merge
   * @param schema the type as it is now, whose columns the file gets
   * @throws io.tidemark.ledger.store.CorruptLedgerException when a file has other rows than the
   *     index records
   */
  Snapshot write(ResolvedFiles from, TypeSchema schema) {
    Optional<Snapshot> inOrder = onto(schema, writer -> readInOrder(from, writer));
    return inOrder.orElseGet(() -> onto(schema, writer -> readAndSort(from, schema, writer)).get());
  }

  /** Thrown when rows aren't in the order that our own files have. */
  private static final class OutOfOrderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutOfOrderException() {
      super("rows out of order", null, false, false);
    }
  }

  /** Writes the rows that are read; empty when they are out of order. */
  private Optional<Snapshot> onto(TypeSchema schema, Consumer<Consumer<Row>> reading) {
    ScratchFile scratch = scratch();
    boolean done = false;
    Optional<NextVersionTable> successors = successors();
    try (RowWriter writer = writer(schema, scratch, successors)) {
      reading.accept(
          row -> {
            writer.add(row);
            successors.ifPresent(known -> known.add(row.commitId(), row.identity()));
          });
      RowFile file = writer.finish();
      check(file);
      done = true;
      return Optional.of(new Snapshot(file, scratch));
    } catch (OutOfOrderException e) {
      return Optional.empty();
    } finally {
      if (!done) {
        scratch.close();
      }
    }
  }

  private static RowWriter writer(
      TypeSchema schema, ScratchFile scratch, Optional<NextVersionTable> successors) {
    return successors
        .map(known -> RowWriter.ofVersions(schema, scratch, known::of))
        .orElseGet(() -> RowWriter.toScratch(schema, scratch));
  }

  /**
   * Returns the table of next versions, or empty if there are so many rows that memory could get
   * short; readers do without it.
   */
  private Optional<NextVersionTable> successors() {
    boolean said = fileMerge.inputs().stream().allMatch(entry -> entry.rowCount().isPresent());
    long most = Runtime.getRuntime().maxMemory() / MEMORY_SHARE / NextVersionTable.ROW_BYTES;
    return said && fileMerge.rows() <= most
        ? Optional.of(new NextVersionTable())
        : Optional.empty();
  }

  private void readInOrder(ResolvedFiles from, Consumer<Row> writer) {
    read(
        from,
        new Consumer<>() {
          private @Nullable Row last;

          @Override
          public void accept(Row row) {
            if (last != null && ExternalRowSorter.ORDER.compare(last, row) > 0) {
              throw new OutOfOrderException();
            }
            last = row;
            writer.accept(row);
          }
        });
  }

  private void readAndSort(ResolvedFiles from, TypeSchema schema, Consumer<Row> writer) {
    try (ExternalRowSorter sorted = new ExternalRowSorter(schema)) {
      read(from, sorted::add);
      sorted.forEach(writer);
    }
  }

  private void read(ResolvedFiles from, Consumer<Row> consumer) {
    long[] read = {0};
    rows.readAll(
        fileMerge.type().kind(),
        from,
        (source, row) -> {
          requireWithin(source, row);
          consumer.accept(row);
          if (read[0]++ % TELL_EVERY == 0) {
            compactionListener.rowsRead(fileMerge, read[0]);
          }
        });
  }

  private void requireWithin(Source source, Row row) {
    if (row.commitId() < source.min() || row.commitId() > source.max()) {
      throw objects.corrupt(
          source.path(),
          "has a row of commit "
              + row.commitId()
              + ", though it is of commits "
              + source.min()
              + " to "
              + source.max());
    }
  }

  /** Checks the sums of the file before any index names it. */
  private void check(RowFile file) {
    boolean said = fileMerge.inputs().stream().allMatch(entry -> entry.rowCount().isPresent());
    boolean whole = !said || file.rowCount() == fileMerge.rows();
    if (!whole
        || file.minCommitId() != fileMerge.minCommitId()
        || file.maxCommitId() != fileMerge.maxCommitId()) {
      throw objects.corrupt(
          fileMerge.inputs().get(0).path(),
          "and the files after it have %d rows of commits %d to %d, and not %d of %d to %d"
              .formatted(
                  file.rowCount(),
                  file.minCommitId(),
                  file.maxCommitId(),
                  fileMerge.rows(),
                  fileMerge.minCommitId(),
                  fileMerge.maxCommitId()));
    }
  }

  /** Returns a scratch file on the disk. */
  static ScratchFile scratch() {
    try {
      return new ScratchFile();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "there is no room on the disk to compact; make room in the directory for temporary files",
          e);
    }
  }
}
