// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.replica;

import io.tidemark.ledger.internal.duckdb.DuckDbDatabase;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.schema.TypeId;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sorter of a table that many small steps have fed. Each of them left rows behind those that are
 * sorted, and a look-up by key reads all of these, where of sorted rows it reads one group.
 *
 * <p>A thread copies the rows in their order into another table, while queries read the first one
 * and go on feeding it. Then, with feeding held up, what was fed since is added, and the other
 * table takes its place: in one transaction with the note that says which table is the type's. So a
 * process that is killed leaves the one or the other, and an unfinished copy goes when the replica
 * is opened next. DuckDB keeps what a query is reading until it ends, also of a dropped table.
 */
final class TableSorter {

  private static final Logger LOG = LoggerFactory.getLogger(TableSorter.class);

  /** A table is sorted anew when it is no more than so many times its unsorted rows. */
  private static final long SHARE = 16;

  private final long fewest;
  private final Map<TypeId, LoadedTable> fed;
  private final Object feeding;

  /** Stays true after a failure: what failed once isn't tried again by this process. */
  private final AtomicBoolean busy = new AtomicBoolean();

  /**
   * Creates the sorter of the tables of one replica.
   *
   * @param fewest unsorted rows that are worth it
   * @param fed how far types have been fed
   * @param feeding the object whose lock the feeding thread holds
   */
  TableSorter(long fewest, Map<TypeId, LoadedTable> fed, Object feeding) {
    this.fewest = fewest;
    this.fed = fed;
    this.feeding = feeding;
  }

  /** Begins to sort a table that is due. Called by the thread that feeds. */
  void sortIfDue(ReplicaDatabase file, Connection connection, TypeView type, LoadedTable now)
      throws SQLException {
    if (now.loose() < fewest || busy.get()) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      if (ReplicaDatabase.rows(statement, now.table()) > now.loose() * SHARE) {
        return;
      }
      // Made here, where no other table is, so that no other gets its name.
      String sorted = ReplicaDatabase.newTable(statement);
      statement.execute(new VersionTableSql(type, sorted).create());
      busy.set(true);
      Thread thread =
          new Thread(() -> sort(file, type, now, sorted), "tidemark-ledger-replica-order");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void sort(ReplicaDatabase file, TypeView type, LoadedTable before, String sorted) {
    VersionTableSql from = new VersionTableSql(type, before.table());
    VersionTableSql to = new VersionTableSql(type, sorted);
    try (Connection connection = file.database().connect();
        Statement statement = connection.createStatement()) {
      statement.execute(to.insert("SELECT * FROM " + from.upTo(before.commitId())));
      synchronized (feeding) {
        LoadedTable now = fed.get(type.id());
        if (now == null || !now.table().equals(before.table())) {
          statement.execute("DROP TABLE " + sorted); // the type's table was made anew meanwhile
        } else {
          fed.put(type.id(), replace(connection, from, to, before.commitId(), now));
        }
      }
      ReplicaDatabase.checkpoint(connection);
      busy.set(false);
    } catch (SQLException | RuntimeException e) {
      LOG.info("the table of {} stays in the order that it has", type.id(), e);
    }
  }

  private static LoadedTable replace(
      Connection connection, VersionTableSql from, VersionTableSql to, long copied, LoadedTable now)
      throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TEMP TABLE since AS SELECT * FROM " + from.after(copied));
      statement.execute(to.closeVersions("since", Optional.empty()));
      long rows = statement.executeUpdate(to.insert("SELECT * FROM since"));
      statement.execute("DROP TABLE since");
      LoadedTable sorted = now.inTable(to.table(), Math.min(rows, DuckDbDatabase.ROW_GROUP));
      ReplicaDatabase.saveProgress(statement, sorted);
      statement.execute("DROP TABLE " + from.table());
      connection.commit();
      return sorted;
    } catch (SQLException | RuntimeException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
  }
}
