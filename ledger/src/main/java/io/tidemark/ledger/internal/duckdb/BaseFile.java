// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.parquet.FileColumns;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.store.TypeFileResolver.Source;
import io.tidemark.ledger.query.plan.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * First file of a state, if it has most of the rows and tells by itself which versions are the last
 * in it: a snapshot with the commits of next versions, or the file of one commit. Its rows are
 * taken as they are, except for those of which a later file has a version; only those of later
 * files have to be compared with each other.
 *
 * @param later the files after it
 */
record BaseFile(
    TypeView type,
    DataFileCache files,
    Source source,
    DataFileCache.CachedFile copy,
    List<DataFileCache.CachedFile> later) {

  /** Returns the base file of a state, if there is one. */
  static Optional<BaseFile> of(TypeView type, DataFileCache files, LocalFileSet fetched) {
    Source first = fetched.resolved().sources().get(0);
    DataFileCache.CachedFile copy = fetched.copies().get(0);
    List<DataFileCache.CachedFile> later = fetched.copies().subList(1, fetched.copies().size());
    long rest = later.stream().mapToLong(DataFileCache.CachedFile::bytes).sum();
    BaseFile found = new BaseFile(type, files, first, copy, later);
    boolean tells = !first.isSnapshot() || found.hasUntil();
    return tells && copy.bytes() >= rest ? Optional.of(found) : Optional.empty();
  }

  private boolean hasUntil() {
    return files.columns(type, copy.path()) == FileColumns.OF_VERSIONS;
  }

  /** Returns the SQL of the rows of a window that is a state. */
  String state(Window window, KeyFilter keyFilter) {
    String own = own(window, keyFilter);
    if (later.isEmpty()) {
      return own;
    }
    String columns = RowColumns.all(type);
    String identity = String.join(", ", RowColumns.identity(type.id().kind()));
    String behind =
        FileSql.rows(type, files, later.stream().map(DataFileCache.CachedFile::path).toList());
    return "(SELECT "
        + columns
        + " FROM "
        + own
        + " ANTI JOIN (SELECT "
        + identity
        + " FROM "
        + behind
        + StateSql.within(type, window, keyFilter)
        + ") USING ("
        + identity
        + ") UNION ALL SELECT "
        + columns
        + " FROM "
        + StateSql.lastVersions(type, window, keyFilter, behind)
        + ")";
  }

  /**
   * Returns the conditions on its own rows. Conditions that each row meets are left out, so that
   * their columns needn't be read.
   */
  private String own(Window window, KeyFilter keyFilter) {
    List<String> conditions = new ArrayList<>();
    if (source.min() <= window.lowerExclusive()) {
      conditions.add(RowColumns.COMMIT_ID + " > " + window.lowerExclusive());
    }
    if (source.max() > window.upper()) {
      conditions.add(RowColumns.COMMIT_ID + " <= " + window.upper());
    }
    if (hasUntil()) {
      conditions.add(SqlQuoting.name(FileColumns.UNTIL) + " > " + window.upper());
    }
    StateSql.among(type, keyFilter).ifPresent(conditions::add);
    String where = conditions.stream().collect(Collectors.joining(" AND "));
    String rows =
        hasUntil()
            ? "read_parquet(" + SqlQuoting.text(copy.path().toString()) + ")"
            : FileSql.rows(type, files, List.of(copy.path()));
    // DuckDB would take longer to parse a list of columns than the star.
    return "(SELECT * FROM " + rows + (where.isEmpty() ? "" : " WHERE " + where) + ")";
  }
}
