// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.compact;

import io.tidemark.ledger.internal.parquet.RowFile;
import io.tidemark.ledger.internal.parquet.RowWriter;
import io.tidemark.ledger.internal.scratch.ScratchFile;
import io.tidemark.ledger.internal.state.Successors;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.RowFiles;
import io.tidemark.ledger.internal.store.TypeFiles.Resolved;
import io.tidemark.ledger.internal.store.TypeFiles.Source;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Merges files into one: every version of every row, by commit and in it by identity.
 *
 * <p>That order is the one in which commits are, so merging is reading one file after the other and
 * takes no more memory than writing does; readers who want a range of commits skip the groups of
 * rows outside of it by their limits, and those who want all versions in order needn't sort. By
 * identity first, look-ups by key would read less; but then all rows would have to be sorted each
 * time, and every as-of would read the whole file.
 */
final class SnapshotWriter {

  private static final long TELL_EVERY = 512;

  /** What is known of rows to find their next versions may take this part of the memory. */
  private static final long MEMORY_SHARE = 5;

  private final LedgerObjects objects;
  private final RowFiles rows;
  private final Merge merge;
  private final Progress progress;

  SnapshotWriter(LedgerObjects objects, Merge merge, Progress progress) {
    this.objects = objects;
    this.rows = new RowFiles(objects);
    this.merge = merge;
    this.progress = progress;
  }

  /** A merged file, on the disk until it is closed. */
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
   *     index says
   */
  Snapshot write(Resolved from, TypeSchema schema) {
    Optional<Snapshot> inOrder = onto(schema, writer -> readInOrder(from, writer));
    return inOrder.orElseGet(() -> onto(schema, writer -> readAndSort(from, schema, writer)).get());
  }

  /** Rows aren't in the order that our own files have. */
  private static final class OutOfOrderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutOfOrderException() {
      super("rows out of order", null, false, false);
    }
  }

  /** Writes what is read; empty when that is out of order. */
  private Optional<Snapshot> onto(TypeSchema schema, Consumer<Consumer<Row>> reading) {
    ScratchFile scratch = scratch();
    boolean done = false;
    Optional<Successors> successors = successors();
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
      TypeSchema schema, ScratchFile scratch, Optional<Successors> successors) {
    return successors
        .map(known -> RowWriter.ofVersions(schema, scratch, known::of))
        .orElseGet(() -> RowWriter.toScratch(schema, scratch));
  }

  /** Empty when there are so many rows that memory could get short; readers do without. */
  private Optional<Successors> successors() {
    boolean said = merge.inputs().stream().allMatch(entry -> entry.rowCount().isPresent());
    long most = Runtime.getRuntime().maxMemory() / MEMORY_SHARE / Successors.ROW_BYTES;
    return said && merge.rows() <= most ? Optional.of(new Successors()) : Optional.empty();
  }

  private void readInOrder(Resolved from, Consumer<Row> writer) {
    read(
        from,
        new Consumer<>() {
          private @Nullable Row last;

          @Override
          public void accept(Row row) {
            if (last != null && SortedRows.ORDER.compare(last, row) > 0) {
              throw new OutOfOrderException();
            }
            last = row;
            writer.accept(row);
          }
        });
  }

  private void readAndSort(Resolved from, TypeSchema schema, Consumer<Row> writer) {
    try (SortedRows sorted = new SortedRows(schema)) {
      read(from, sorted::add);
      sorted.forEach(writer);
    }
  }

  private void read(Resolved from, Consumer<Row> consumer) {
    long[] read = {0};
    rows.readAll(
        merge.type().kind(),
        from,
        (source, row) -> {
          requireWithin(source, row);
          consumer.accept(row);
          if (read[0]++ % TELL_EVERY == 0) {
            progress.at(merge, read[0]);
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

  /** The sums have to come out right before anybody is told of the file (F12). */
  private void check(RowFile file) {
    boolean said = merge.inputs().stream().allMatch(entry -> entry.rowCount().isPresent());
    boolean whole = !said || file.rowCount() == merge.rows();
    if (!whole
        || file.minCommitId() != merge.minCommitId()
        || file.maxCommitId() != merge.maxCommitId()) {
      throw objects.corrupt(
          merge.inputs().get(0).path(),
          "and the files after it have %d rows of commits %d to %d, and not %d of %d to %d"
              .formatted(
                  file.rowCount(),
                  file.minCommitId(),
                  file.maxCommitId(),
                  merge.rows(),
                  merge.minCommitId(),
                  merge.maxCommitId()));
    }
  }

  /** Room on the disk. */
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
