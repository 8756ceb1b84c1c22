// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.parquet.FileColumns;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.store.TypeFiles.Source;
import io.tidemark.ledger.query.plan.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The first file of a state, when it has most of the rows and tells by itself which versions are
 * the last in it: a snapshot that says when the next one came, or the file of one commit. Its rows
 * are taken as they are, but for those of which a later file has a version; only those of later
 * files have to be compared with each other.
 *
 * @param later the files behind it
 */
record Foundation(
    TypeView type,
    LocalFiles files,
    Source source,
    LocalFiles.Local copy,
    List<LocalFiles.Local> later) {

  /** The foundation of a state in files, if there is one. */
  static Optional<Foundation> of(TypeView type, LocalFiles files, FetchedFiles fetched) {
    Source first = fetched.resolved().sources().get(0);
    LocalFiles.Local copy = fetched.copies().get(0);
    List<LocalFiles.Local> later = fetched.copies().subList(1, fetched.copies().size());
    long rest = later.stream().mapToLong(LocalFiles.Local::bytes).sum();
    Foundation found = new Foundation(type, files, first, copy, later);
    boolean tells = !first.isSnapshot() || found.hasUntil();
    return tells && copy.bytes() >= rest ? Optional.of(found) : Optional.empty();
  }

  private boolean hasUntil() {
    return files.columns(type, copy.path()) == FileColumns.OF_VERSIONS;
  }

  /** The rows of a window that is a state. */
  String state(Window window, Keys keys) {
    String own = own(window, keys);
    if (later.isEmpty()) {
      return own;
    }
    String columns = RowColumns.all(type);
    String identity = String.join(", ", RowColumns.identity(type.id().kind()));
    String behind = FileSql.rows(type, files, later.stream().map(LocalFiles.Local::path).toList());
    return "(SELECT "
        + columns
        + " FROM "
        + own
        + " ANTI JOIN (SELECT "
        + identity
        + " FROM "
        + behind
        + StateSql.within(type, window, keys)
        + ") USING ("
        + identity
        + ") UNION ALL SELECT "
        + columns
        + " FROM "
        + StateSql.lastVersions(type, window, keys, behind)
        + ")";
  }

  /** Conditions that each of its rows fulfils aren't asked, so that columns needn't be read. */
  private String own(Window window, Keys keys) {
    List<String> conditions = new ArrayList<>();
    if (source.min() <= window.lowerExclusive()) {
      conditions.add(RowColumns.COMMIT_ID + " > " + window.lowerExclusive());
    }
    if (source.max() > window.upper()) {
      conditions.add(RowColumns.COMMIT_ID + " <= " + window.upper());
    }
    if (hasUntil()) {
      conditions.add(SqlText.name(FileColumns.UNTIL) + " > " + window.upper());
    }
    StateSql.among(type, keys).ifPresent(conditions::add);
    String where = conditions.stream().collect(Collectors.joining(" AND "));
    String rows =
        hasUntil()
            ? "read_parquet(" + SqlText.text(copy.path().toString()) + ")"
            : FileSql.rows(type, files, List.of(copy.path()));
    // A list of columns would take DuckDB longer to understand than the star.
    return "(SELECT * FROM " + rows + (where.isEmpty() ? "" : " WHERE " + where) + ")";
  }
}
