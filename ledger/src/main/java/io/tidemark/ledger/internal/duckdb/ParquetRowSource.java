// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.duckdb.DataFileCache.Origin;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.TypeFileResolver.Source;
import io.tidemark.ledger.query.plan.Explanation;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.query.plan.Window.Shape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Source of a ledger's rows in its Parquet files, as of one head. For one query, whose files it
 * records.
 *
 * <p>It reads only files with rows of the window; {@link FileSql} has the SQL.
 */
public final class ParquetRowSource implements SqlRowSource {

  private static final int FEW_FILES = 8;

  private final PinnedHead pinnedHead;
  private final TypeFileCache known;
  private final DataFileCache files;
  private final List<UsedFile> used = new ArrayList<>();
  private final List<RequestedType> asked = new ArrayList<>();

  public ParquetRowSource(PinnedHead pinnedHead, TypeFileCache known, DataFileCache files) {
    this.pinnedHead = pinnedHead;
    this.known = known;
    this.files = files;
  }

  /** Type that was requested, with its window. */
  public record RequestedType(TypeView type, Window window) {}

  /** Returns the requested relations, each of them once. */
  public List<RequestedType> requestedTypes() {
    return asked.stream().distinct().toList();
  }

  /** Returns the head that rows are as of. */
  public PinnedHead base() {
    return pinnedHead;
  }

  /** File that the query reads. */
  private record UsedFile(Source source, DataFileCache.CachedFile local) {}

  @Override
  public String relation(TypeView type, Window window, KeyFilter keyFilter) {
    asked.add(new RequestedType(type, window));
    LocalFileSet fetched = LocalFileSet.of(known, files, type, pinnedHead, window);
    List<Source> sources = fetched.resolved().sources();
    if (sources.isEmpty()) {
      return RowColumns.none(type);
    }
    List<DataFileCache.CachedFile> copies = fetched.copies();
    for (int i = 0; i < copies.size(); i++) {
      used.add(new UsedFile(sources.get(i), copies.get(i)));
    }
    Window within = new Window(fetched.resolved().lowerExclusive(), window.upper(), window.shape());
    Optional<BaseFile> foundation =
        window.shape() == Shape.STATE ? BaseFile.of(type, files, fetched) : Optional.empty();
    if (foundation.isPresent()) {
      return foundation.get().state(within, keyFilter);
    }
    List<Path> paths = copies.stream().map(DataFileCache.CachedFile::path).toList();
    return StateSql.of(type, within, keyFilter, FileSql.rows(type, files, paths));
  }

  /** Returns whether there are few files, since planning opens every file. */
  @Override
  public boolean isCheapToPlan() {
    return used.size() <= FEW_FILES;
  }

  /** Returns the paths of the copies that these relations read. */
  public List<Path> paths() {
    return used.stream().map(file -> file.local().path()).distinct().toList();
  }

  /** Returns whether a copy is gone, which another process may have evicted. */
  @Override
  public boolean isStale() {
    boolean gone = used.stream().anyMatch(file -> !Files.exists(file.local().path()));
    if (gone) {
      used.clear();
    }
    return gone;
  }

  /** Returns the files of all relations that were requested. */
  public List<Explanation.File> files() {
    return used.stream()
        .distinct()
        .map(
            file ->
                new Explanation.File(
                    file.source().path(),
                    file.source().min(),
                    file.source().max(),
                    file.local().bytes(),
                    file.local().origin() == Origin.FETCHED ? file.local().bytes() : 0))
        .toList();
  }
}
