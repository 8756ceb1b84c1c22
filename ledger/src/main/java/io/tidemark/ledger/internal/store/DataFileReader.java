// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import io.tidemark.ledger.internal.parquet.RowReader;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.internal.threads.Prefetcher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reader of the rows of data files, which checks first that each is what its commit wrote. */
public final class DataFileReader {

  private static final Logger LOG = LoggerFactory.getLogger(DataFileReader.class);

  private final FileFetcher files;

  public DataFileReader(LedgerObjects objects) {
    this.files = new FileFetcher(objects);
  }

  /**
   * Passes on every row of a file.
   *
   * @throws CorruptLedgerException when the file is missing, isn't what its commit wrote or can't
   *     be read; before any row is handed on, unless it is the last of these
   */
  public void read(TypeKind typeKind, TypeFileResolver.Source source, Consumer<Row> rows) {
    try (FetchedFile file = files.fetch(source)) {
      decode(typeKind, source, file, rows);
    }
  }

  /**
   * Passes on every row of a file; of a snapshot that is gone or damaged, those of its commits.
   *
   * @param from where the file was found
   */
  public void read(
      TypeKind typeKind,
      TypeFileResolver.ResolvedFiles from,
      TypeFileResolver.Source source,
      Consumer<Row> rows) {
    readWithFallback(typeKind, from, source, rows, handedOn -> read(typeKind, source, handedOn));
  }

  /**
   * Passes on every row of files, one after the other; those that come next are fetched meanwhile.
   *
   * @param rows is told of each row, and of the file it is from
   * @throws CorruptLedgerException as by {@link #read}, with all rows of the files before it handed
   *     on
   */
  public void readAll(
      TypeKind typeKind,
      TypeFileResolver.ResolvedFiles resolvedFiles,
      BiConsumer<TypeFileResolver.Source, Row> rows) {
    List<TypeFileResolver.Source> sources = resolvedFiles.sources();
    if (sources.size() < 2) {
      sources.forEach(
          source -> read(typeKind, resolvedFiles, source, row -> rows.accept(source, row)));
      return;
    }
    try (Prefetcher<TypeFileResolver.Source, FetchedFile> ahead =
        Prefetcher.of(sources, files::fetchAhead, FetchedFile::close)) {
      for (TypeFileResolver.Source source : sources) {
        read(typeKind, resolvedFiles, source, ahead, row -> rows.accept(source, row));
      }
    }
  }

  /**
   * Passes on every row of files from the last one back, until there are enough.
   *
   * @param enough asked before each file
   */
  void readBackwards(
      TypeKind typeKind,
      TypeFileResolver.ResolvedFiles resolvedFiles,
      BooleanSupplier enough,
      Consumer<Row> rows) {
    List<TypeFileResolver.Source> back = new ArrayList<>(resolvedFiles.sources());
    Collections.reverse(back);
    if (enough.getAsBoolean()) {
      return;
    }
    try (Prefetcher<TypeFileResolver.Source, FetchedFile> ahead =
        Prefetcher.withSlowStart(back, files::fetchAhead, FetchedFile::close)) {
      for (TypeFileResolver.Source source : back) {
        if (enough.getAsBoolean()) {
          return;
        }
        read(typeKind, resolvedFiles, source, ahead, rows);
      }
    }
  }

  /**
   * Returns the last versions of some identities up to a commit, of those that there are. Files are
   * read from the last one back, until all have been found.
   *
   * @param read is told of each row that is read
   */
  public Map<Identity, Row> latestVersions(
      TypeKind typeKind,
      TypeFileResolver.ResolvedFiles resolvedFiles,
      Set<Identity> identities,
      long upTo,
      Consumer<Row> read) {
    Map<Identity, Row> found = new HashMap<>();
    readBackwards(
        typeKind,
        resolvedFiles,
        () -> found.size() >= identities.size(),
        row -> {
          read.accept(row);
          boolean counts =
              row.commitId() > resolvedFiles.lowerExclusive() && row.commitId() <= upTo;
          if (counts && identities.contains(row.identity())) {
            found.merge(row.identity(), row, (a, b) -> a.commitId() >= b.commitId() ? a : b);
          }
        });
    return found;
  }

  private void read(
      TypeKind typeKind,
      TypeFileResolver.ResolvedFiles from,
      TypeFileResolver.Source source,
      Prefetcher<TypeFileResolver.Source, FetchedFile> ahead,
      Consumer<Row> rows) {
    readWithFallback(
        typeKind,
        from,
        source,
        rows,
        handedOn -> {
          try (FetchedFile fetched = ahead.next()) {
            if (fetched instanceof FetchedFile.Deferred) {
              read(typeKind, source, handedOn);
            } else {
              decode(typeKind, source, fetched, handedOn);
            }
          }
        });
  }

  /**
   * Reads a file. A snapshot is only a help, like the index that names it: when it is gone, since
   * this reader found it long ago, or damaged, the files of its commits have the same rows.
   */
  private void readWithFallback(
      TypeKind typeKind,
      TypeFileResolver.ResolvedFiles from,
      TypeFileResolver.Source source,
      Consumer<Row> rows,
      Consumer<Consumer<Row>> reading) {
    boolean[] begun = {false};
    try {
      reading.accept(
          row -> {
            begun[0] = true;
            rows.accept(row);
          });
    } catch (CorruptLedgerException e) {
      if (begun[0] || !source.isSnapshot()) {
        throw e;
      }
      LOG.warn("{}; its commits are read instead", e.getMessage());
      from.commits().apply(source).forEach(commit -> read(typeKind, commit, rows));
    }
  }

  private void decode(
      TypeKind typeKind, TypeFileResolver.Source source, FetchedFile file, Consumer<Row> rows) {
    files.reading(
        source,
        () -> {
          try (RowReader reader = open(typeKind, file)) {
            reader.forEachRemaining(rows);
            return true;
          }
        });
  }

  private static RowReader open(TypeKind typeKind, FetchedFile file) throws IOException {
    if (file instanceof FetchedFile.Bytes bytes) {
      return RowReader.open(typeKind, bytes.content());
    }
    return RowReader.open(typeKind, ((FetchedFile.Copy) file).file().channel());
  }
}
