// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import io.tidemark.ledger.internal.duckdb.DataFileCache;
import io.tidemark.ledger.internal.duckdb.DataFileCache.CachedFile;
import io.tidemark.ledger.internal.duckdb.DuckDbDatabase;
import io.tidemark.ledger.internal.duckdb.FileSql;
import io.tidemark.ledger.internal.duckdb.LocalFileSet;
import io.tidemark.ledger.internal.duckdb.TypeFileCache;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.TypeFileResolver.ResolvedFiles;
import io.tidemark.ledger.query.plan.Window;
import io.tidemark.ledger.query.plan.Window.Shape;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Loader of types from files. The files are found by the range of commits that is missing, so it is
 * all the same whether older ones have been put together since.
 */
record ReplicaLoader(TypeFileCache known, DataFileCache files, AncestryCheck lineage) {

  /** Of so many keys the table is looked up one by one, of more it is read as a whole. */
  private static final int FEW = 1_000;

  /** Less is read so fast that waiting for the disk, which settling does, never pays. */
  private static final long WORTH_SETTLING = 1 << 20;

  /**
   * Result of bringing a type up to a head.
   *
   * @param steps what had to be read for it
   */
  record LoadResult(LoadedTable fed, List<LoadBatch> steps) {}

  /** Returns the files that hold what comes after a commit, as of a head. */
  ResolvedFiles missing(TypeView type, long after, PinnedHead pinnedHead) {
    return known.resolve(type.id(), pinnedHead, after(after, pinnedHead));
  }

  private static Window after(long commit, PinnedHead pinnedHead) {
    return new Window(commit, pinnedHead.head().commitId(), Shape.HISTORY);
  }

  /**
   * Brings a type up to a head.
   *
   * @param before how far it is, with the stamp that it has to have; empty when it isn't there, and
   *     when what is there is of no use
   */
  LoadResult advanceTo(
      Connection connection, TypeView type, Optional<LoadedTable> before, PinnedHead pinnedHead)
      throws SQLException {
    long after = before.map(LoadedTable::commitId).orElse(0L);
    LocalFileSet missing =
        LocalFileSet.of(known, files, type, pinnedHead, after(after, pinnedHead));
    if (before.isPresent() && missing.resolved().lowerExclusive() > after) {
      return advanceTo(connection, type, Optional.empty(), pinnedHead); // dropped since
    }
    LoadedTable loadedTable =
        before.isPresent() ? before.get() : create(connection, type, pinnedHead);
    List<LoadBatch> steps = LoadBatch.of(missing, pinnedHead.head().commitId());
    for (LoadBatch loadBatch : steps) {
      loadedTable = load(connection, type, loadedTable, loadBatch, pinnedHead);
    }
    if (before.isEmpty() && bytes(steps) >= WORTH_SETTLING) {
      ReplicaDatabase.checkpoint(connection);
    }
    long head = pinnedHead.head().commitId();
    return new LoadResult(
        loadedTable.upTo(head, lineage.path(pinnedHead, head), pinnedHead), steps);
  }

  private static long bytes(List<LoadBatch> steps) {
    return steps.stream()
        .flatMap(loadBatch -> loadBatch.copies().stream())
        .mapToLong(CachedFile::bytes)
        .sum();
  }

  private static LoadedTable create(Connection connection, TypeView type, PinnedHead pinnedHead)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      String table = ReplicaDatabase.newTable(statement);
      statement.execute(new VersionTableSql(type, table).create());
      String stamp = LoadedTable.fingerprint(type, pinnedHead);
      return new LoadedTable(type.id(), stamp, table, 0, "", 0, Optional.of(pinnedHead));
    }
  }

  /** Adds the rows and saves how far they go, in one transaction. */
  private LoadedTable load(
      Connection connection,
      TypeView type,
      LoadedTable loadedTable,
      LoadBatch loadBatch,
      PinnedHead pinnedHead)
      throws SQLException {
    VersionTableSql versionTableSql = new VersionTableSql(type, loadedTable.table());
    // Asked for once more, since a copy may have been deleted while other types were fed.
    List<Path> paths =
        files.all(type, loadBatch.sources()).stream().map(DataFileCache.CachedFile::path).toList();
    String rows = FileSql.rows(type, files, paths);
    String made =
        versionTableSql.select(
            rows, loadBatch.after(), loadBatch.upTo(), loadBatch.isOfOneCommit());
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      long loose = 0;
      if (loadedTable.commitId() == 0) {
        statement.execute(versionTableSql.insert(made));
      } else {
        loose = Math.min(add(statement, versionTableSql, made), DuckDbDatabase.ROW_GROUP);
      }
      LoadedTable further =
          loadedTable
              .withUnsortedRows(loose)
              .upTo(loadBatch.upTo(), lineage.path(pinnedHead, loadBatch.upTo()), pinnedHead);
      ReplicaDatabase.saveProgress(statement, further);
      connection.commit();
      return further;
    } catch (SQLException | RuntimeException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  /** Adds rows and returns how many; more than a group of them are in an order of their own. */
  private static long add(Statement statement, VersionTableSql versionTableSql, String made)
      throws SQLException {
    statement.execute("CREATE OR REPLACE TEMP TABLE fresh AS " + made);
    List<String> hashes = new ArrayList<>();
    String sql = VersionTableSql.hashes("fresh") + " LIMIT " + (FEW + 1);
    try (ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        hashes.add(result.getString(1));
      }
    }
    statement.execute(
        versionTableSql.closeVersions(
            "fresh", hashes.size() > FEW ? Optional.empty() : Optional.of(hashes)));
    long rows = statement.executeUpdate(versionTableSql.insert("SELECT * FROM fresh"));
    statement.execute("DROP TABLE fresh");
    return rows;
  }
}
