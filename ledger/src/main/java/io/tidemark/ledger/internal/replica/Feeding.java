// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import io.tidemark.ledger.internal.duckdb.DuckDbDatabase;
import io.tidemark.ledger.internal.duckdb.FetchedFiles;
import io.tidemark.ledger.internal.duckdb.FileSql;
import io.tidemark.ledger.internal.duckdb.KnownFiles;
import io.tidemark.ledger.internal.duckdb.LocalFiles;
import io.tidemark.ledger.internal.duckdb.LocalFiles.Local;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.store.TypeFiles.Resolved;
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
 * Feeds types from files. Which files is found by the range of commits that is missing, so it is
 * all the same whether older ones have been put together since.
 */
record Feeding(KnownFiles known, LocalFiles files, Lineage lineage) {

  /** Of so many keys the table is looked up one by one, of more it is read as a whole. */
  private static final int FEW = 1_000;

  /** Less is read so fast that waiting for the disk, which settling does, never pays. */
  private static final long WORTH_SETTLING = 1 << 20;

  /**
   * A type that has been brought up to a head.
   *
   * @param steps what had to be read for it
   */
  record Brought(Fed fed, List<Step> steps) {}

  /** The files that hold what comes after a commit, as of a head. */
  Resolved missing(TypeView type, long after, Base base) {
    return known.resolve(type.id(), base, after(after, base));
  }

  private static Window after(long commit, Base base) {
    return new Window(commit, base.head().commitId(), Shape.HISTORY);
  }

  /**
   * Brings a type up to a head.
   *
   * @param before how far it is, with the stamp that it has to have; empty when it isn't there, and
   *     when what is there is of no use
   */
  Brought bringUp(Connection connection, TypeView type, Optional<Fed> before, Base base)
      throws SQLException {
    long after = before.map(Fed::commitId).orElse(0L);
    FetchedFiles missing = FetchedFiles.of(known, files, type, base, after(after, base));
    if (before.isPresent() && missing.resolved().lowerExclusive() > after) {
      return bringUp(connection, type, Optional.empty(), base); // dropped since
    }
    Fed fed = before.isPresent() ? before.get() : create(connection, type, base);
    List<Step> steps = Step.of(missing, base.head().commitId());
    for (Step step : steps) {
      fed = feed(connection, type, fed, step, base);
    }
    if (before.isEmpty() && bytes(steps) >= WORTH_SETTLING) {
      ReplicaFile.settle(connection);
    }
    long head = base.head().commitId();
    return new Brought(fed.upTo(head, lineage.path(base, head), base), steps);
  }

  private static long bytes(List<Step> steps) {
    return steps.stream().flatMap(step -> step.copies().stream()).mapToLong(Local::bytes).sum();
  }

  private static Fed create(Connection connection, TypeView type, Base base) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      String table = ReplicaFile.newTable(statement);
      statement.execute(new Versions(type, table).create());
      String stamp = Fed.stamp(type, base);
      return new Fed(type.id(), stamp, table, 0, "", 0, Optional.of(base));
    }
  }

  /** One transaction: the rows, and how far they go. */
  private Fed feed(Connection connection, TypeView type, Fed fed, Step step, Base base)
      throws SQLException {
    Versions versions = new Versions(type, fed.table());
    // Asked for once more, since a copy may have been deleted while others were fed.
    List<Path> paths =
        files.all(type, step.sources()).stream().map(LocalFiles.Local::path).toList();
    String rows = FileSql.rows(type, files, paths);
    String made = versions.made(rows, step.after(), step.upTo(), step.isOfOneCommit());
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      long loose = 0;
      if (fed.commitId() == 0) {
        statement.execute(versions.insert(made));
      } else {
        loose = Math.min(add(statement, versions, made), DuckDbDatabase.ROW_GROUP);
      }
      Fed further = fed.looser(loose).upTo(step.upTo(), lineage.path(base, step.upTo()), base);
      ReplicaFile.note(statement, further);
      connection.commit();
      return further;
    } catch (SQLException | RuntimeException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  /** Says how many rows these are; more than a group are in an order of their own. */
  private static long add(Statement statement, Versions versions, String made) throws SQLException {
    statement.execute("CREATE OR REPLACE TEMP TABLE fresh AS " + made);
    List<String> hashes = new ArrayList<>();
    String sql = Versions.hashes("fresh") + " LIMIT " + (FEW + 1);
    try (ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        hashes.add(result.getString(1));
      }
    }
    statement.execute(
        versions.supersede("fresh", hashes.size() > FEW ? Optional.empty() : Optional.of(hashes)));
    long rows = statement.executeUpdate(versions.insert("SELECT * FROM fresh"));
    statement.execute("DROP TABLE fresh");
    return rows;
  }
}
